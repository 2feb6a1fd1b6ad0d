"""What a definition spells out that nobody learns anything from."""

from collections.abc import Iterator, Mapping

from mcplock.jsontext import Json
from mcplock.lazy import pattern
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.terms import count
from mcplock.render.values import value_text

# https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations
_DEFAULTS: Mapping[str, bool] = {
    "readOnlyHint": False,
    "destructiveHint": True,
    "idempotentHint": False,
    "openWorldHint": True,
}
_BETWEEN_WORDS = pattern(r"[ _./-]")


def without_noise(content: Mapping[str, Json]) -> tuple[dict[str, Json], list[Line]]:
    """`content` without annotations as by default and titles that repeat the name.

    The lines say how many of them there are.
    """
    kept = dict(content)
    titles = defaults = 0
    if _repeats(kept.get("title"), content.get("name")):
        del kept["title"]
        titles += 1
    annotations = kept.get("annotations")
    if isinstance(annotations, dict):
        rest = dict(annotations)
        if _repeats(rest.get("title"), content.get("name")):
            del rest["title"]
            titles += 1
        told = {key: value for key, value in rest.items() if value is not _DEFAULTS.get(key, ...)}
        defaults = len(rest) - len(told)
        kept["annotations"] = told
        if annotations and not told:
            del kept["annotations"]
    return kept, list(_left_out(titles, defaults))


_DIALECT = pattern(r"https?://json-schema\.org/draft(?:/(\d{4}-\d\d)/|-(0\d)/)schema#?")
_TASKS = ("forbidden", "optional", "required")
_WORD = pattern(r"[\w$#./:-]{0,40}")


def in_short(content: Mapping[str, Json]) -> tuple[dict[str, Json], list[Line]]:
    """`content` without what most tools say alike, and one line that tells all of that."""
    kept = dict(content)
    said: list[str] = []
    for key in ("inputSchema", "outputSchema"):
        if isinstance(schema := kept.get(key), dict):
            kept[key], facts = _schema_in_short(schema)
            said += [fact for fact in facts if fact not in said]
    match kept.get("execution"):
        case {"taskSupport": str() as support, **more} if support in _TASKS and not more:
            said.append(f"taskSupport {support}")
            del kept["execution"]
    if _repeats(kept.get("title"), kept.get("name")):
        said.append(f"title {value_text(kept.pop('title'))}")
    if isinstance(annotations := kept.get("annotations"), dict):
        common = {key: value for key, value in annotations.items() if _is_common(key, value, kept)}
        said += [f"{key} {value_text(value)}" for key, value in common.items()]
        rest = {key: value for key, value in annotations.items() if key not in common}
        kept["annotations"] = rest
        if common and not rest:
            del kept["annotations"]
    also = [line(Span(Style.DIM, f"    also: {' · '.join(said)}"))] if said else []
    return kept, also


def is_wordless(value: Json) -> bool:
    """Whether `value` holds no more than names: no string and no key in it has a blank."""
    match value:
        case dict():
            return all(is_wordless(key) and is_wordless(inner) for key, inner in value.items())
        case list():
            return all(map(is_wordless, value))
        case str():
            return value.isascii() and _WORD.fullmatch(value) is not None
        case _:
            return True


def _schema_in_short(schema: dict[str, Json]) -> tuple[dict[str, Json], list[str]]:
    kept, said = dict(schema), []
    dialect = kept.get("$schema")
    if isinstance(dialect, str) and (hit := _DIALECT.fullmatch(dialect)):
        said.append(f"$schema {hit[1] or f'draft-{hit[2]}'}")
        del kept["$schema"]
    return kept, said


def _is_common(key: str, value: Json, content: Mapping[str, Json]) -> bool:
    """Whether an annotation is as by default, or a title that repeats the name."""
    if key == "title":
        return _repeats(value, content.get("name"))
    return key in _DEFAULTS and value is _DEFAULTS[key]


def _repeats(title: Json, name: Json) -> bool:
    """Whether a title is the name in other letters of the same words; plain letters only."""
    if not isinstance(title, str) or not isinstance(name, str):
        return False
    return title.isascii() and _letters(title) == _letters(name)


def _letters(text: str) -> str:
    return _BETWEEN_WORDS.sub("", text).lower()


def _left_out(titles: int, defaults: int) -> Iterator[Line]:
    parts = [f"{count(titles, 'title')} like the name"] * bool(titles)
    parts += [f"{count(defaults, 'annotation')} as by default"] * bool(defaults)
    if parts:
        yield line(Span(Style.DIM, f"    left out: {', '.join(parts)}; `-v` shows all of it"))
