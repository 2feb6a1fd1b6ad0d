"""A catalog that was exported -> its tools, each held against its hash."""

from collections.abc import Iterator

from mcplock.approved import Approved, Tool
from mcplock.canonical import hash_value
from mcplock.errors import Fault, FaultyFile
from mcplock.exporters.mcp import META
from mcplock.jsontext import Json, JsonFault, parse
from mcplock.text import visible

_HINT = "export it again with `mcplock export`"
_ROW = frozenset({"name", "server", "tool", "hash", "definition"})


def read_export(data: bytes, name: str) -> Approved | None:
    """The tools of the export in `data`, of format `mcp` or `jsonl`; None if it is neither.

    `name` is how messages call the file. Raises `FaultyFile` with every tool that is not
    what was approved.
    """
    text = data.decode("utf-8-sig", "replace")
    value = _parsed(text)
    told: Json = {}
    if isinstance(value, dict) and isinstance(value.get("tools"), list):
        rows = _mcp_rows(value, name)
        told = _told_instructions(value)
    elif _is_row(value) or _is_row(_parsed(text.partition("\n")[0])):
        rows = _lines(text)
    else:
        return None
    tools = []
    faults = []
    for line, row in rows:
        tool = _tool(row)
        if isinstance(tool, str):
            faults.append(Fault(name, line, "", tool))
        else:
            tools.append(tool)
    faults += [Fault(name, 0, "", fault) for fault in _faults_of(told)]
    if faults:
        raise FaultyFile(faults, hint=_HINT)
    return Approved(tools, [], {server: row["text"] for server, row in told.items()})


def _parsed(text: str) -> Json:
    try:
        return parse(text)
    except JsonFault:
        return None


def _is_row(value: Json) -> bool:
    return isinstance(value, dict) and value.keys() == _ROW


def _lines(text: str) -> Iterator[tuple[int, Json]]:
    """(line, row) of each line that is not empty."""
    for line, row in enumerate(text.split("\n"), start=1):
        if row.strip():
            yield line, _parsed(row)


def _mcp_rows(value: dict[str, Json], name: str) -> Iterator[tuple[int, Json]]:
    """(0, row) of each tool of a `tools/list` result, with its definition as it is locked."""
    if not value["tools"]:
        return
    try:
        told = value["_meta"][META]["tools"]
        rows = list(zip(value["tools"], told, strict=True))
        for wire, row in rows:
            kept = {key: item for key, item in wire.items() if key not in row.get("added", ())}
            definition = kept | {"name": row["tool"]} | row.get("replaced", {})
            yield (
                0,
                {**{key: row[key] for key in ("server", "tool", "hash")}}
                | {
                    "name": wire["name"],
                    "definition": definition,
                },
            )
    except (LookupError, TypeError, AttributeError, ValueError):
        message = f"its `_meta` does not tell, as `{META}`, which tools of a lock these are"
        raise FaultyFile([Fault(name, 0, "", message)], hint=_HINT) from None


def _told_instructions(value: dict[str, Json]) -> Json:
    """By server, hash and text of its instructions; whatever stands there instead."""
    meta = value.get("_meta")
    ours = meta.get(META) if isinstance(meta, dict) else None
    return ours.get("instructions", {}) if isinstance(ours, dict) else {}


def _faults_of(told: Json) -> Iterator[str]:
    """What is wrong with instructions."""
    if not isinstance(told, dict):
        yield "its instructions are not as `mcplock export` writes them"
        return
    for server, row in told.items():
        shown = f"{visible(server)}: its instructions"
        if not isinstance(row, dict) or row.keys() != {"hash", "text"}:
            yield f"{shown} are not as `mcplock export` writes them"
        elif not _fits(row["text"], row["hash"]):
            yield f"{shown} do not fit their hash; one was edited"


def _fits(text: Json, hashed: Json) -> bool:
    try:
        return isinstance(text, str) and hash_value(text) == hashed
    except JsonFault:
        return False


def _tool(row: Json) -> Tool | str:
    """The tool of `row`, or why there is none."""
    if not _is_row(row) or not all(isinstance(row[key], str) for key in _ROW - {"definition"}):
        return "not a tool as `mcplock export --format jsonl` writes it"
    shown = visible(f"{row['server']}/{row['tool']}")
    definition = row["definition"]
    if not isinstance(definition, dict) or definition.get("name") != row["tool"]:
        return f"{shown}: its definition has another name"
    try:
        fits = hash_value(definition) == row["hash"]
    except JsonFault as fault:
        return f"{shown}: its definition has no canonical form: {fault.message}"
    if not fits:
        return f"{shown}: its hash does not fit its definition; one was edited"
    return Tool(row["server"], row["tool"], row["hash"], True, definition)
