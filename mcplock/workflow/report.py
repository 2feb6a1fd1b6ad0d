"""What `install`, `update`, `check` and `diff` found: the same shape for all."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from mcplock.errors import Exit
from mcplock.model import Issue, Kind, LockedServer, State, Status
from mcplock.records import NamedTuple

if TYPE_CHECKING:
    from mcplock.changes import Change
    from mcplock.workflow.review import Waiting


class Conclusion(StrEnum):
    """What a gate says in one word."""

    OK = "ok"
    FAIL = "fail"
    ERROR = "error"


FAILS = (Status.DRIFT, Status.UNREVIEWED, Status.UNLOCKED)
"""With one of these the gate says no."""
ERRORS = (Status.UNTRUSTED, Status.UNREACHABLE, Status.UNRESOLVED)
"""With one of these it could not judge."""


class ServerReport(NamedTuple):
    """One server: every status that holds for it, the worst first; how many tools it has.

    denied: how many of these tools are denied; is_locked: whether its tools are known at all;
    invalid: how many of its entries are invalid.
    """

    statuses: tuple[Status, ...] = (Status.OK,)
    tools: int = 0
    tolerated: frozenset[Status] = frozenset()
    denied: int = 0
    is_locked: bool = True
    invalid: int = 0

    @property
    def status(self) -> Status:
        """The one to show where there is room for one."""
        return self.statuses[0]

    @property
    def judged(self) -> frozenset[Status]:
        """The statuses that count for the conclusion."""
        return frozenset(self.statuses) - self.tolerated


class Report(NamedTuple):
    """What a workflow found.

    notes: faults of the whole, such as a lock that is not as the writer writes it; each
    makes the gate say no. waiting: what a person has still to decide on. claim: what `ok`
    means here, no more than was looked at. decisions: what was decided since the revision
    `since`; frozen: whether each of them makes the gate say no. total: how many servers there
    are, where only some were to be judged.
    """

    servers: Mapping[str, ServerReport] = {}
    changes: "Sequence[Change]" = ()
    issues: Sequence[Issue] = ()
    notes: Sequence[str] = ()
    waiting: "Sequence[Waiting]" = ()
    claim: str = ""
    decisions: "Sequence[Change]" = ()
    since: str = ""
    frozen: bool = False
    total: int = 0

    @property
    def judged(self) -> frozenset[Status]:
        """Every status that counts for the conclusion."""
        return frozenset(status for server in self.servers.values() for status in server.judged)

    @property
    def conclusion(self) -> Conclusion:
        """`fail` where the gate says no, `error` where it could not judge."""
        forbidden = self.frozen and self.decisions
        if self.notes or forbidden or self.judged.intersection(FAILS):
            return Conclusion.FAIL
        return Conclusion.ERROR if self.judged.intersection(ERRORS) else Conclusion.OK

    @property
    def exit_code(self) -> Exit:
        """The exit code of a gate: drift on one server and an outage on another is 1."""
        match self.conclusion:
            case Conclusion.OK:
                return Exit.OK
            case Conclusion.FAIL:
                return Exit.NO
            case Conclusion.ERROR:
                return Exit.FAILED


_ORDER = (*FAILS, *ERRORS, Status.DISABLED, Status.OK)


def server_report(
    statuses: set[Status],
    tools: int | None,
    tolerated: frozenset[Status] = frozenset(),
    denied: int = 0,
    invalid: int = 0,
) -> ServerReport:
    """A report with `statuses` in order of weight; none means `ok`.

    tools: None where the server is not locked.
    """
    ordered = sorted(statuses or {Status.OK}, key=_ORDER.index)
    return ServerReport(tuple(ordered), tools or 0, tolerated, denied, tools is not None, invalid)


def review_statuses(locked: LockedServer | None) -> set[Status]:
    """`unreviewed` where an entry waits for a person."""
    entries = locked.entries() if locked else ()
    waiting = any(entry.waits for _, _, entry in entries)
    return {Status.UNREVIEWED} if waiting else set()


def tool_count(locked: LockedServer | None) -> int | None:
    """How many tools a server has, those that vanished left out; None where it is not locked."""
    return sum(not entry.absent for entry in locked.of(Kind.TOOL).values()) if locked else None


def denied_count(locked: LockedServer | None) -> int:
    """How many of the tools of `tool_count` are denied."""
    entries = locked.of(Kind.TOOL).values() if locked else ()
    return sum(entry.state is State.DENIED and not entry.absent for entry in entries)
