"""Logins: where a person is to go, and where this machine is logged in."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from mcplock.naming import typed
from mcplock.render.spans import Line, Span, Style, line
from mcplock.text import visible
from mcplock.workflow.login import LoggedIn, Standing


def visit_lines(server: str, hosts: Sequence[str], *, opens: bool) -> Iterator[Line]:
    """What a person is told before the address of a page. hosts: other than the server's own."""
    name = Span(Style.NAME, visible(server))
    if hosts:
        strangers = Span(Style.CHANGED, ", ".join(hosts))
        yield line(name, " sends you to another host to log in: ", strangers)
        yield line("Log in only if you know it.")
    yield line("This page opens in your browser:" if opens else "Open this page in a browser:")


def logged_in_line(made: LoggedIn) -> Line:
    """The verdict of a login."""
    where = _PLACES[made.kept.place]
    until = "renewed by itself" if made.renews else _until(made.kept.expires)
    name = Span(Style.NAME, visible(made.server))
    return line("logged in to ", name, f" ({visible(made.kept.url)}); {where}, {until}")


def logged_in_hint(made: LoggedIn) -> str:
    """What to do next."""
    if made.locked:
        return f"`mcplock update --dry-run {typed(made.server)}` asks it as you"
    return "`mcplock install` locks what it lists to you"


def standing_lines(standings: Sequence[Standing]) -> Iterator[Line]:
    """A table of servers, addresses and logins."""
    names = [visible(standing.server) or "(another project)" for standing in standings]
    width = max(map(len, names), default=0)
    for name, standing in zip(names, standings, strict=True):
        told = _standing(standing)
        yield line(
            Span(Style.NAME, f"{name:<{width}}"),
            f"  {told}",
            Span(Style.DIM, f"  {visible(standing.url)}"),
        )


def _standing(standing: Standing) -> str:
    if standing.why_not:
        return f"sends {standing.why_not}"
    kept = standing.kept
    return f"logged in, {_PLACES[kept.place]}" if kept else "not logged in"


def _until(expires: float | None) -> str:
    if expires is None:
        return "without an end that was told"
    try:
        return f"until {datetime.fromtimestamp(expires, UTC):%Y-%m-%d %H:%M} UTC"
    except (ValueError, OverflowError, OSError):
        return "without an end"


_PLACES = {"keyring": "kept in the keyring", "file": "kept in a file that only you can read"}
