"""What agents see beside the servers of the project."""

from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.terms import count
from mcplock.text import visible
from mcplock.workflow.levels import Seen


def level_lines(seen: Seen) -> list[Line]:
    """Which servers of the user's own lock agents get, and which the project replaces."""
    if len(seen.levels) == 1:
        return []
    own = seen.levels[1].lock.servers
    added = [name for name in own if seen.is_users(name)]
    hidden = [name for name in own if name not in added]
    tools = sum(tool.server in added for tool in seen.approved.tools)
    waiting = sum(entry.waits for name in added for _, _, entry in own[name].entries())
    told = []
    if added:
        told.append(f"agents also get {count(tools, 'tool')} of your own: {_names(added)}")
    if waiting:
        said = f"{count(waiting, 'entry')} of yours to review"
        told.append(f"{said}: `mcplock review --user`")
    if hidden:
        told.append(f"the project replaces your {_names(hidden)}")
    return [line(Span(Style.DIM, "; ".join(told)))] if told else []


def alone_line(seen: Seen) -> Line:
    """That what follows is the user's own and no project's."""
    return line(f"no project here; only your own {count(len(seen.lock.servers), 'server')}")


def _names(names: list[str]) -> str:
    return ", ".join(map(visible, names))
