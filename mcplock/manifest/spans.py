"""Where one server stands in the text of our own formats, and where the next one goes.

A change is one piece of text for another. What is inserted begins with the line break before
it, so that what is removed again leaves the bytes that were there.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from mcplock.jsontext import Json, Path
from mcplock.records import NamedTuple

if TYPE_CHECKING:
    import yaml
    from yaml.nodes import MappingNode, Node


_TEXT = "tag:yaml.org,2002:str"


class Edit(NamedTuple):
    """`text` in place of what stands from `start` to `end`."""

    start: int
    end: int
    text: str = ""


class NotEditable(Exception):
    """The text is written in a way that is not changed by a program; says how."""


def toml_addition(text: str, table: Path, name: str, entry: Mapping[str, Json]) -> list[Edit]:
    """A table for a new server below `table`, behind all that stands there."""
    import tomlkit

    from mcplock.manifest.tomlkeys import keys

    body = tomlkit.table()
    for key, value in entry.items():
        body[key] = _inline(value) if isinstance(value, dict) else value
    header = tomlkit.key([*map(str, table), "servers", name]).as_string()
    end = len(text)
    if table:
        end = max((key.end for key in keys(text) if key.path[: len(table)] == table), default=end)
        if end < len(text):
            end = _without_trailing_comments(text, end)
    return [_appended(text, end, f"[{header}]\n{tomlkit.dumps(body)}".rstrip("\n"))]


def _inline(value: Mapping[str, Json]) -> object:
    import tomlkit

    table = tomlkit.inline_table()
    table.update(value)
    return table


def toml_removal(text: str, table: Path, name: str) -> list[Edit]:
    """All that tells of a server; a comment that stands alone right above its header goes too.

    Where nothing else makes the file a manifest, an empty table of servers takes its place.
    """
    from mcplock.manifest.tomlkeys import keys

    target = (*table, "servers", name)
    found = keys(text)
    spans: list[Edit] = []
    for key in found:
        if key.path[: len(target)] != target or (spans and key.start < spans[-1].end):
            continue
        start = text.rfind("\n", 0, key.start) + 1
        if text[start : key.start].strip():
            raise NotEditable("it stands in a table on one line")
        is_header = text.startswith("[", key.start)
        end = _without_trailing_comments(text, key.end) if is_header else _line_end(text, key.end)
        spans.append(Edit(_with_own_comment(text, start) if is_header else start, end))
    edits = [_removal(text, span.start, span.end) for span in spans]
    others = (key for key in found if key.path[: len(target)] != target)
    if spans and not any(key.path[: len(table)] == table for key in others):
        left = _without(text, edits)
        if table or not left.strip():
            edits[0] = spans[0]._replace(text=f"[{'.'.join(map(str, (*table, 'servers')))}]")
    return edits


def _without(text: str, edits: Sequence[Edit]) -> str:
    for edit in reversed(edits):
        text = text[: edit.start] + text[edit.end :]
    return text


def yaml_addition(text: str, key: str, name: str, entry: Mapping[str, Json]) -> list[Edit]:
    """A mapping for a new server, behind the others."""
    import yaml

    root = _root(text)
    pair = next((pair for pair in root.value if pair[0].value == key), None) if root else None
    if root is None or pair is None:
        return [_appended(text, len(text), f"{key}:\n{_yaml_block(2, name, entry)}")]
    place, servers = pair
    if isinstance(servers, yaml.MappingNode) and not servers.flow_style and servers.value:
        indent, end = servers.value[0][0].start_mark.column, _yaml_end(text, root, place)
    elif isinstance(servers, yaml.ScalarNode) and not servers.value and not servers.style:
        indent, end = 2, _line_end(text, place.end_mark.index)
    elif isinstance(servers, yaml.MappingNode) and not servers.value:
        braces = _end(servers)
        end = _line_end(text, braces)
        added = Edit(end, end, f"\n{_yaml_block(2, name, entry)}")
        return [Edit(len(text[: _start(servers)].rstrip()), braces), added]
    else:
        raise NotEditable("the servers are not written line by line")
    return [Edit(end, end, "\n" + _yaml_block(indent, name, entry))]


def _yaml_block(indent: int, name: str, entry: Mapping[str, Json]) -> str:
    import yaml

    block = yaml.dump(
        {name: dict(entry)},
        Dumper=_dumper(),
        default_flow_style=None,
        sort_keys=False,
        allow_unicode=True,
        width=1_000_000,
    )
    return "\n".join(" " * indent + line for line in block.rstrip("\n").split("\n"))


def _dumper() -> "type[yaml.SafeDumper]":
    """Writes text so that every reader takes it as that text."""
    import yaml

    from mcplock.manifest.yaml import stands_plain

    class Dumper(yaml.SafeDumper):
        def resolve(self, kind: object, value: str, implicit: object) -> str:
            """The tag that a reader gives a scalar; quotes follow where it is another one."""
            tag = str(super().resolve(kind, value, implicit))  # type: ignore[no-untyped-call]
            is_taken = kind is yaml.ScalarNode and tag == _TEXT and not stands_plain(value)
            return f"{tag}-in-quotes" if is_taken and implicit == (True, False) else tag

    def scalar(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
        # A line break such as U+0085 would be folded in any other quotes.
        return dumper.represent_scalar(_TEXT, text, None if text.isprintable() else '"')

    Dumper.add_representer(str, scalar)
    return Dumper


def yaml_removal(text: str, key: str, name: str) -> list[Edit]:
    """All lines that tell of a server."""
    import yaml

    root = _root(text)
    found = [value for place, value in root.value if place.value == key] if root else []
    for servers in found:
        if not isinstance(servers, yaml.MappingNode) or servers.flow_style:
            continue
        for place, _ in servers.value:
            if place.value != name:
                continue
            start = text.rfind("\n", 0, _start(place)) + 1
            if text[start : _start(place)].strip():
                raise NotEditable("something stands before it on its line")
            end = _yaml_end(text, servers, place)
            whole = _with_bare_key(text, start, end) if len(servers.value) == 1 else None
            return [_removal(text, start, end, blank=False) if whole is None else whole]
    raise NotEditable("it is not written line by line")


def _with_bare_key(text: str, start: int, end: int) -> Edit | None:
    """The removal of all servers and of the key above them, if they stand as they are added."""
    above = text.rfind("\n", 0, max(0, start - 1)) + 1
    is_bare = text[above : max(above, start - 1)] in ("servers:", "mcp_servers:")
    is_last = text[:above].strip() and text[:above].endswith("\n\n") and not text[end:].strip()
    if not (is_bare and is_last):
        return None
    return _removal(text, above, end)


def _root(text: str) -> "MappingNode | None":
    """The mapping that a file is, written line by line; None where it has no content."""
    import yaml

    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if root is None or (isinstance(root, yaml.MappingNode) and not root.flow_style):
        return root
    raise NotEditable("it is written in braces")


def _yaml_end(text: str, within: "MappingNode", key: "Node") -> int:
    """The end of the last line that the value of `key` is written on."""
    node = next(value for place, value in within.value if place is key)
    return _line_end(text, max(_leaves(text, node, _end(key))))


def _leaves(text: str, node: "Node", above: int) -> Iterator[int]:
    """Where the pieces of `node` end; `above` is where its key does.

    What an alias stands for begins above its key, and is written elsewhere.
    """
    import yaml

    yield above
    if _start(node) < above:
        return
    if isinstance(node, yaml.CollectionNode) and not node.flow_style:
        for item in node.value:
            key, value = item if isinstance(item, tuple) else (None, item)
            yield from _leaves(text, value, max(above, _end(key)) if key else above)
    else:
        yield len(text[: _end(node)].rstrip())


def _start(node: "Node") -> int:
    return node.start_mark.index if node.start_mark else 0


def _end(node: "Node") -> int:
    return node.end_mark.index if node.end_mark else 0


def _appended(text: str, end: int, block: str) -> Edit:
    """`block` behind an empty line; nothing of what follows is moved."""
    at = len(text[:end].rstrip())
    return Edit(at, at, f"\n\n{block}" if at else block)


def _removal(text: str, start: int, end: int, *, blank: bool = True) -> Edit:
    """The lines from `start` to `end`, the break before them, and with `blank` an empty line."""
    for _ in range(2 if blank else 1):
        if start and text[start - 1] == "\n":
            start -= 1
    if start == 0:
        end += len(text[end:]) - len(text[end:].lstrip("\n"))
    return Edit(start, end)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _without_trailing_comments(text: str, end: int) -> int:
    """The end of the last line before `end` that is neither blank nor a comment."""
    while True:
        end = len(text[:end].rstrip())
        start = text.rfind("\n", 0, end) + 1
        if start == 0 or not text[start:end].lstrip().startswith("#"):
            return end
        end = start


def _with_own_comment(text: str, start: int) -> int:
    """The start of the comment right above `start`, if an empty line sets it off."""
    above = start
    while above:
        line = text.rfind("\n", 0, above - 1) + 1
        written = text[line : above - 1].strip()
        if not written:
            return above
        if not written.startswith("#"):
            return start
        above = line
    return start  # what the file begins with is about the whole of it
