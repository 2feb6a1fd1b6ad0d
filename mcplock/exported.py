"""The names that exported tools bear: safe everywhere, and each leads back to one tool.

`mcp__server__tool` where both names are plain: letters, digits, `_` and `-`, short enough,
and only one way to take the whole apart. Any other name has what is odd replaced by `_`
and ends in `_` and twelve digits of a hash over the server's and the tool's name. So a
name depends on its own tool alone, and stays when others come and go. A plain name that
ends like that has its own hash added, so that no tool can pass for another.
"""

import hashlib
import json
from collections.abc import Iterable

from mcplock.lazy import pattern

PREFIX = "mcp__"
LONGEST = 64
"""What every provider takes."""

_PLAIN = pattern(r"[A-Za-z0-9_-]+")
_ODD = pattern(r"[^A-Za-z0-9_-]")
_DIGITS = 12
_MARKED = pattern(rf"_[0-9a-f]{{{_DIGITS}}}$")


def exported_name(server: str, tool: str, prefix: str = PREFIX) -> str:
    """The name of one tool; `prefix` stands before `server__tool`."""
    name = f"{prefix}{server}__{tool}"
    if _is_plain(server, tool, name):
        return name
    mark = "_" + _digest(server, tool)
    return _ODD.sub("_", name)[: LONGEST - len(mark)] + mark


def exported_server(server: str) -> str:
    """The name of a group of the tools of `server`, where a format groups them."""
    if _PLAIN.fullmatch(server) and len(server) <= LONGEST and not _MARKED.search(server):
        return server
    mark = "_" + _digest(server, "")
    return _ODD.sub("_", server)[: LONGEST - len(mark)] + mark


def _is_plain(server: str, tool: str, name: str) -> bool:
    """Whether `name` can be taken for this tool only."""
    return (
        bool(_PLAIN.fullmatch(server) and _PLAIN.fullmatch(tool))
        and "__" not in server
        and not server.endswith("_")
        and len(name) <= LONGEST
        and not _MARKED.search(name)
    )


def _digest(server: str, tool: str) -> str:
    identity = json.dumps([server, tool])
    return hashlib.sha256(identity.encode()).hexdigest()[:_DIGITS]


def exported_names(
    tools: Iterable[tuple[str, str]], prefix: str = PREFIX
) -> dict[tuple[str, str], str]:
    """The name of each (server, tool); two that would bear the same one bear none."""
    names = {identity: exported_name(*identity, prefix) for identity in tools}
    bearers: dict[str, int] = {}
    for name in names.values():
        bearers[name] = bearers.get(name, 0) + 1
    return {identity: name for identity, name in names.items() if bearers[name] == 1}
