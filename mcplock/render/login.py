"""Logins: where a person is to go, and where this machine is logged in."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from mcplock.naming import typed
from mcplock.render.spans import Line, Span, Style, line
from mcplock.text import visible
from mcplock.workflow.login import LoggedIn, Standing
from mcplock.workflow.logout import LoggedOut


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
    until = "renewed by itself" if made.kept.renews else _until(made.kept.expires)
    name = Span(Style.NAME, visible(made.server))
    return line("logged in to ", name, f" ({visible(made.kept.url)}); {where}, {until}")


def logged_in_hint(made: LoggedIn) -> str:
    """What to do next."""
    if made.locked:
        return f"`mcplock update --dry-run {typed(made.server)}` asks it as you"
    return "`mcplock install` locks what it lists to you"


def standing_lines(standings: Sequence[Standing], now: float) -> Iterator[Line]:
    """A table of servers, addresses and logins."""
    names = [visible(standing.server) or "(another project)" for standing in standings]
    width = max(map(len, names), default=0)
    for name, standing in zip(names, standings, strict=True):
        yield line(
            Span(Style.NAME, f"{name:<{width}}"),
            f"  {_standing(standing, now)}",
            Span(Style.DIM, f"  {visible(standing.url)}".rstrip()),
        )


def _standing(standing: Standing, now: float) -> str:
    kept = standing.kept
    if kept and kept.problem:
        return f"{kept.problem}; `mcplock logout {kept.key}` removes it"
    if standing.why_not:
        return f"sends {standing.why_not}"
    if kept is None:
        return "not logged in"
    return "its login has ended" if kept.is_over(now) else f"logged in, {_PLACES[kept.place]}"


def logged_out_lines(found: Sequence[LoggedOut], meant: str) -> Iterator[Line]:
    """What was forgotten. meant: the server or address that was asked for, "" for all."""
    if not found:
        yield line(f"there was no login to {visible(meant)}" if meant else "there was no login")
    for kept, not_revoked in found:
        if kept.problem:
            yield line(f"removed a login that could not be read: {kept.problem}")
        else:
            told = "" if not_revoked else "; its tokens were taken back"
            yield line(f"logged out of {visible(meant or kept.url)}{told}")


def not_revoked_warnings(found: Sequence[LoggedOut]) -> Iterator[str]:
    """Where tokens are still good, and why."""
    for kept, why in found:
        if why and not kept.problem:
            yield f"{visible(kept.url)}: its tokens were not taken back there: {why}"


def _until(expires: float | None) -> str:
    if expires is None:
        return "without an end that was told"
    try:
        return f"until {datetime.fromtimestamp(expires, UTC):%Y-%m-%d %H:%M} UTC"
    except (ValueError, OverflowError, OSError):
        return "without an end"


_PLACES = {"keyring": "kept in the keyring", "file": "kept in a file that only you can read"}
