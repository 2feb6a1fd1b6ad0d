"""What `approve`, `deny` and `reset` share: show, confirm, write, tell."""

import shlex
from collections.abc import Sequence
from contextlib import suppress

from mcplock.cli.settings import Settings
from mcplock.errors import FaultyFile, MissingFile, UsageError
from mcplock.files import project_root, shown
from mcplock.lockfile import load
from mcplock.model import Lock
from mcplock.render.decision import WHY, decision_lines, decision_verdict, proposal_lines
from mcplock.render.terms import count
from mcplock.text import visible
from mcplock.workflow.confirming import Preselect, always_ask, preselection
from mcplock.workflow.decide import (
    Decision,
    Judge,
    Verdict,
    commit_decision,
    decide,
    hidden_in,
    unexplained,
    with_note,
)
from mcplock.workflow.levels import manifest_beside
from mcplock.workflow.project import Declined
from mcplock.workflow.review import waiting_entries
from mcplock.workflow.servers import unlocked


def decide_and_tell(
    settings: Settings,
    names: Sequence[str],
    judge: Judge,
    verb: str,
    *,
    yes: bool,
    with_findings: bool = False,
) -> int:
    """Decide on the entries called `names` and say what came of it.

    yes: nothing is asked; with_findings: `high` findings alone are no reason to ask.
    """
    console = settings.console
    path = settings.lock_path
    lock = load(path).lock
    decision = decide(lock, names, judge, path, settings.machine)
    if decision.several and decision.verdicts and not yes:
        _confirm(settings, decision, verb)
    elif decision.stopped and not (yes or with_findings):
        decision = _confirmed_in_spite(settings, lock, decision, verb)
    made = commit_decision(settings.lock_path, decision, settings.machine)
    console.detail(decision_lines(made, verb, verbose=settings.verbose))
    console.show([decision_verdict(made, verb)])
    lock = load(settings.lock_path).lock
    if verb == "approve" and made.verdicts:
        settings.hint([_note_hint(v) for v in unexplained(lock, made)[:1]])
        settings.hint([] if waiting_entries(lock) else [next_hint(settings, lock)])
    return made.exit_code


def written_why(option: str, text: str) -> str:
    """A reason or a note as it was given; `UsageError` where a person would not see all of it."""
    if odd := hidden_in(text):
        raise UsageError(f"`{option}` holds a character that does not show: {odd}")
    if not text.strip():
        raise UsageError(f"`{option}` is empty")
    return text


def next_hint(settings: Settings, lock: Lock) -> str:
    """What is left to do where nothing of `lock` waits any more."""
    if unlocked := unlocked_hint(settings, lock):
        return unlocked
    files = [settings.lock_path]
    if not (project_root(files[0].parent.resolve()) / ".git").exists():
        return "nothing is left to review"
    with suppress(MissingFile):  # decisions need no manifest
        files.insert(0, settings.where.manifest())
    names = " ".join(visible(shlex.quote(shown(file))) for file in files)
    return f"nothing is left to review; commit that: `git add {names}`"


def unlocked_hint(settings: Settings, lock: Lock) -> str:
    """What to do where the manifest has servers that are not in `lock`; "" where it has none."""
    with suppress(FaultyFile):  # other commands tell that
        manifest = manifest_beside(settings.where)
        names = [visible(name) for name in unlocked(manifest, lock)] if manifest else []
        if names:
            more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
            told = ", ".join(names[:_FEW]) + more
            return f"`mcplock install` comes next: not locked as in the manifest: {told}"
    return ""


_FEW = 3


def policy(settings: Settings) -> Preselect:
    """What the manifest preselects; one that cannot be read says nothing, as if it were not."""
    try:
        return preselection(manifest_beside(settings.where))
    except FaultyFile:
        return always_ask


def _confirm(settings: Settings, decision: Decision, verb: str) -> None:
    entries = count(len(decision.verdicts), "entry")
    if not settings.console.interactive:
        message = f"this would {verb} {entries}, and nobody is there to ask"
        raise UsageError(message, hint="give `--yes`, or name each entry whole")
    if not settings.console.ask(proposal_lines(decision, verb), f"{verb.capitalize()} {entries}?"):
        raise Declined("declined: nothing was decided")


def _note_hint(verdict: Verdict) -> str:
    """How to say why something was approved in spite of its findings."""
    note = f"`mcplock approve {verdict.named.typed} --note TEXT`"
    return f"{note} says why; without a note `mcplock audit` fails for it"


def _confirmed_in_spite(settings: Settings, lock: Lock, decision: Decision, verb: str) -> Decision:
    """Ask about entries of `lock` that are named one by one and have `high` findings, and why."""
    first = decision.stopped[0].named
    if not settings.console.interactive:
        labels = ", ".join(verdict.named.label for verdict in decision.stopped)
        hint = f"`mcplock show {first.typed}`; if it is right, `--with-findings --note TEXT`"
        raise UsageError(f"what has high findings was not approved: {labels}", hint=hint)
    matter = proposal_lines(decision, verb, whole=True)
    question = "Approve in spite of these high findings?"
    if unexplained(lock, decision):
        question = f"`mcplock audit` fails for that unless a note says why. {question}"
    if not settings.console.ask(matter, question):
        raise Declined("declined: nothing was decided")
    if all(verdict.after and verdict.after.note is not None for verdict in decision.stopped):
        return decision
    note = settings.console.answer(WHY)
    if not note:
        raise Declined("declined: nothing was decided")
    return with_note(decision, written_why("--note", note))
