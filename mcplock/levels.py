"""The user's own level below the project's: what agents see of both."""

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from mcplock.approved import Approved, Omitted
from mcplock.userdirs import user_dir

LOCK_NAME = "mcp.lock"
SHADOWED = "the project names a server of its own so, which is not locked"
"""Why nobody gets the tools of a user's server although the project has none in their place."""
GONE = "the manifest has no such server"
DISABLED = "its server is disabled"
REFUSED = "its server is refused"
MOVED = "the manifest has another source for its server"


def advice(left: Omitted) -> str:
    """What to do where an agent may not have a tool: the command that leads on.

    >>> advice(Omitted("git", "push", "denied: not from here"))
    '`mcplock reset git/push` takes the denial back'
    """
    from mcplock.naming import typed

    tool, source = typed(f"{left.server}/{left.tool}"), typed(f"@{left.server}")
    again = f"`mcplock add {typed(left.server)} -- COMMAND` names it again"
    closed = {
        GONE: f"{again}, `mcplock install` drops it",
        DISABLED: "take `disabled` out of the manifest",
        REFUSED: "`mcplock status` tells why",
        MOVED: "`mcplock install`, then `mcplock review`",
        SHADOWED: "`mcplock install`, then `mcplock review`",
    }
    match left.reason.partition(":")[0]:
        case "new" | "changed":
            return f"`mcplock review {tool}`, or `mcplock approve {tool}`"
        case "denied":
            return f"`mcplock reset {tool}` takes the denial back"
        case "its server's source is denied":
            return f"`mcplock reset {source}` takes the denial back"
        case reason if reason.startswith("its server's "):
            return f"`mcplock approve {source}`"
        case reason:
            return closed.get(reason, f"`mcplock show {tool}`")


def of_server(reason: str) -> str:
    """A reason why an agent may not have a tool, as it is said of the tool's server.

    >>> of_server("its server's source is new"), of_server(DISABLED)
    ('its source is new', 'it is disabled')
    """
    return reason.replace("its server's", "its", 1).replace("its server", "it", 1)


def user_lock(environ: Mapping[str, str]) -> Path | None:
    """The user's own lock; None where there is none.

    In CI there never is: what a job does must not depend on the machine that it runs on.
    """
    if environ.get("CI"):
        return None
    try:
        path = user_dir(environ, "config") / LOCK_NAME
    except ImportError:  # loading needs nothing beside the standard library
        return None
    return path if path.is_absolute() and os.path.lexists(path) else None


def merged(project: Approved, user: Approved, named: Collection[str] = ()) -> Approved:
    """What agents see of both levels, the project's first.

    A server that the project has in its lock, or that its manifest has among `named`,
    replaces the user's of that name as a whole: also where it is denied, invalid, refused or
    not locked, nothing of the user's server is seen.
    """
    ours = {*project.servers, *named}
    shadowed = [
        Omitted(server, tool, SHADOWED)
        for server, tool in _tools(user)
        if server in ours and server not in project.servers
    ]
    said = {name: text for name, text in user.instructions.items() if name not in ours}
    return Approved(
        tools=[*project.tools, *(tool for tool in user.tools if tool.server not in ours)],
        omitted=[
            *project.omitted,
            *(left for left in user.omitted if left.server not in ours),
            *shadowed,
        ],
        instructions={**project.instructions, **said},
        servers=[*project.servers, *(name for name in user.servers if name not in ours)],
    )


def _tools(found: Approved) -> list[tuple[str, str]]:
    tools = [(tool.server, tool.name) for tool in found.tools]
    return tools + [(left.server, left.tool) for left in found.omitted]
