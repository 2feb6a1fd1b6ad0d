"""What a definition spells out that nobody learns anything from."""

from collections.abc import Iterator, Mapping

from mcplock.jsontext import Json
from mcplock.lazy import pattern
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.terms import count

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
