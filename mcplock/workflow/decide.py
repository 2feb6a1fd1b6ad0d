"""`approve`, `deny`, `reset`: a person's decisions into the lock."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import assert_never
from unicodedata import category

from mcplock.audit import Finding, Severity, audit_lock
from mcplock.errors import Exit, MissingFile
from mcplock.files import shown
from mcplock.history import Cache
from mcplock.lockfile import edit
from mcplock.model import SECTIONS, Entry, Kind, Lock, LockedServer, State
from mcplock.naming import Named, entries_of, select
from mcplock.text import hidden, visible
from mcplock.workflow.confirming import NEVER, Preselect, always_ask
from mcplock.workflow.pending import compared_findings
from mcplock.workflow.project import Machine
from mcplock.workflow.review import invalid_because


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An entry that a decision does not reach, and why.

    swept: it is denied, and only a word that names several reached it: it stays so.
    """

    label: str
    reason: str
    hint: str = ""
    swept: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of one entry: `after` is None where it leaves the lock."""

    named: Named
    after: Entry | None
    findings: Sequence[Finding] = ()

    @property
    def in_spite(self) -> bool:
        """Whether this approves what has a `high` finding."""
        approves = self.after is not None and self.after.state is State.APPROVED
        newly = self.named.entry.state is not State.APPROVED
        return approves and newly and bool(high_rules(self.findings))


@dataclass(frozen=True, slots=True)
class Decision:
    """What the words of a command come to, before anything is written.

    several: whether a word named more than one entry, so that a person is to confirm.
    """

    verdicts: Sequence[Verdict]
    left_out: Sequence[LeftOut] = ()
    already: int = 0
    several: bool = False

    @property
    def stopped(self) -> Sequence[Verdict]:
        """What would be approved in spite of a `high` finding."""
        return [verdict for verdict in self.verdicts if verdict.in_spite]

    @property
    def exit_code(self) -> Exit:
        """Anything left out is a no, but for what a pattern merely swept over."""
        return Exit.OK if all(left.swept for left in self.left_out) else Exit.NO


Judge = Callable[[Named, bool, Sequence[Finding]], Entry | LeftOut | None]
"""(entry, whether a word named several, its findings) -> the entry as it is to be.

None takes it out of the lock.
"""


def approval(
    *,
    with_findings: bool = False,
    note: str | None = None,
    confirm: bool | None = None,
    preselect: Preselect = always_ask,
) -> Judge:
    """Approve each entry with the hash that stands beside it.

    with_findings: also those of a pattern that have a `high` finding; note: why; confirm:
    whether an agent's calls of these tools are to ask a person, also of those that are
    approved already; preselect: what holds where that is None.
    """

    def judge(named: Named, several: bool, findings: Sequence[Finding]) -> Entry | LeftOut:
        entry = named.entry
        match entry.state:
            case State.APPROVED:
                after = entry if note is None else entry._replace(note=note)
                return after if confirm is None else _confirming(named, after, confirm=confirm)
            case State.DENIED:
                reason = f"denied: {visible(entry.denied or '')}"
                return LeftOut(named.label, reason, f"`mcplock reset {named.typed}`")
            case State.INVALID:
                return LeftOut(named.label, f"invalid: {invalid_because(entry)}")
            case State.NEW | State.CHANGED:
                rules = high_rules(findings)
                if rules and several and not with_findings:
                    hint = f"`mcplock show {named.typed}`, then decide on it alone, by its name"
                    return LeftOut(named.label, f"high findings: {', '.join(rules)}", hint)
                kept = entry.confirm if entry.approved is None else None
                after = entry._replace(approved=entry.hash, note=note)
                if confirm is not None:
                    return _confirming(named, after, confirm=confirm)
                return after._replace(confirm=kept or preselect(named))
            case _ as never:
                assert_never(never)

    return judge


def _confirming(named: Named, entry: Entry, *, confirm: bool) -> Entry:
    is_tool = named.kind is Kind.TOOL
    return entry._replace(confirm=None if confirm or not is_tool else NEVER)


def high_rules(findings: Iterable[Finding]) -> list[str]:
    """The rules of the `high` ones among `findings`, each once."""
    return list(dict.fromkeys(f.rule for f in findings if f.severity is Severity.HIGH))


def hidden_in(why: str) -> str:
    """The first character of a reason or a note that does not show, as a mark; "" if none.

    Blanks of any script, tabs and line ends are no harm: `show` marks the odd ones.
    """
    odd = (found for _, found in hidden(why) if found not in "\n\t")
    return next((visible(found) for found in odd if category(found) != "Zs"), "")


def deny(reason: str) -> Judge:
    """Deny for `reason`; this text is approved no longer, an earlier one that was stays known."""

    def judge(named: Named, several: bool, findings: Sequence[Finding]) -> Entry:
        del several, findings
        return _undecided(named.entry, keep=True)._replace(denied=reason)

    return judge


def reset(named: Named, several: bool, findings: Sequence[Finding]) -> Entry | None:
    """Take back what was decided; a denied entry that is gone upstream leaves the lock.

    A denial that is lifted leaves what was approved before, for the next review to compare with.
    """
    del several, findings
    if named.entry.absent:
        return None
    return _undecided(named.entry, keep=named.entry.denied is not None)._replace(denied=None)


def _undecided(entry: Entry, *, keep: bool) -> Entry:
    """The entry without an approval of its text; keep: one of another text stays."""
    approved = entry.approved if keep and entry.approved != entry.hash else None
    return entry._replace(approved=approved, confirm=None, note=None)


def decide(
    lock: Lock, words: Sequence[str], judge: Judge, path: Path, machine: Machine
) -> Decision:
    """What `judge` makes of the entries that `words` name; writes nothing.

    path: of the lock, whose history may have what was approved before.
    """
    selection = select(lock, words)
    findings = compared_findings(lock, selection.entries, path, machine)
    verdicts: list[Verdict] = []
    left_out = [
        LeftOut(named.label, "has another hash by now", f"`mcplock show {named.typed}`")
        for named in selection.moved
    ]
    for named in selection.entries:
        found = findings.get(named.key, ())
        match judge(named, selection.several, found):
            case LeftOut() as reason:
                swept = named.entry.state is State.DENIED and named.key not in selection.alone
                left_out.append(replace(reason, swept=swept))
            case after:
                verdicts.append(Verdict(named, after, found))
    news = [verdict for verdict in verdicts if verdict.after != verdict.named.entry]
    return Decision(news, left_out, len(verdicts) - len(news), selection.several)


def commit_decision(path: Path, decision: Decision, machine: Machine) -> Decision:
    """Write what was decided to the lock at `path`.

    An entry that changed since it was judged is left out; `MissingFile` where the lock is
    gone meanwhile. What was approved is kept on
    this machine too, so that a later text can be shown against it.
    """
    moved: list[Verdict] = []

    def change(lock: Lock) -> Lock:
        if not path.exists():  # an empty lock would look like a decision
            raise MissingFile(f"{shown(path)} is gone: nothing was decided")
        now = {named.key: named.entry for named in entries_of(lock)}
        moved.extend(v for v in decision.verdicts if now.get(v.named.key) != v.named.entry)
        return with_entries(lock, [v for v in decision.verdicts if v not in moved])

    edit(path, change)
    approved = [after for v in decision.verdicts if (after := v.after) and after.approved]
    Cache(machine.state_dir).remember(approved)
    late = [LeftOut(v.named.label, "changed while you decided") for v in moved]
    made = [verdict for verdict in decision.verdicts if verdict not in moved]
    return replace(decision, verdicts=made, left_out=[*decision.left_out, *late])


def unexplained(lock: Lock, decision: Decision) -> list[Verdict]:
    """What is approved without a note though `audit` fails for it without one."""
    stopped = [v for v in decision.stopped if v.after and v.after.note is None]
    if not stopped:
        return []
    found = audit_lock(lock, {verdict.named.key for verdict in stopped})
    return [verdict for verdict in stopped if high_rules(found.get(verdict.named.key, ()))]


def with_note(decision: Decision, note: str) -> Decision:
    """`decision` with a note for what is approved in spite of a `high` finding."""
    verdicts = [
        replace(verdict, after=verdict.after._replace(note=note))
        if verdict.in_spite and verdict.after and verdict.after.note is None
        else verdict
        for verdict in decision.verdicts
    ]
    return replace(decision, verdicts=verdicts)


def with_entries(lock: Lock, verdicts: Sequence[Verdict]) -> Lock:
    """`lock` with the entries that the verdicts name replaced, or taken out."""
    by_server: dict[str, dict[tuple[Kind, str], Entry | None]] = {}
    for verdict in verdicts:
        named = verdict.named
        by_server.setdefault(named.server, {})[named.kind, named.name] = verdict.after
    servers = {
        name: _with(locked, by_server[name]) if name in by_server else locked
        for name, locked in lock.servers.items()
    }
    return Lock(servers)


def _with(locked: LockedServer, entries: Mapping[tuple[Kind, str], Entry | None]) -> LockedServer:
    def now(kind: Kind, name: str, entry: Entry | None) -> Entry | None:
        return entries.get((kind, name), entry)

    definitions = {}
    for section in SECTIONS:
        kept = {
            name: after
            for name, entry in locked.of(section.kind).items()
            if (after := now(section.kind, name, entry)) is not None
        }
        if kept:
            definitions[section.kind] = kept
    return locked._replace(
        source=now(Kind.SOURCE, "", locked.source) or locked.source,
        package=now(Kind.PACKAGE, "", locked.package),
        instructions=now(Kind.INSTRUCTIONS, "", locked.instructions),
        definitions=definitions,
    )
