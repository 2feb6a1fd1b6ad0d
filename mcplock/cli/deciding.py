"""What `approve`, `deny` and `reset` share: show, confirm, write, tell."""

from collections.abc import Sequence

from mcplock.cli.settings import Settings
from mcplock.errors import UsageError
from mcplock.render.decision import decision_lines, proposal_lines
from mcplock.workflow.decide import Decision, Judge, commit_decision, decide
from mcplock.workflow.project import Declined


def decide_and_tell(
    settings: Settings, names: Sequence[str], judge: Judge, verb: str, *, yes: bool
) -> int:
    """Decide on the entries called `names` and say what came of it."""
    decision = decide(settings.project.lock().lock, names, judge)
    if decision.several and decision.verdicts and not yes:
        _confirm(settings, decision, verb)
    made = commit_decision(settings.project, decision)
    settings.console.show(decision_lines(made, verb))
    return made.exit_code


def _confirm(settings: Settings, decision: Decision, verb: str) -> None:
    if not settings.console.interactive:
        message = f"this would {verb} {len(decision.verdicts)} entries, and nobody is there to ask"
        raise UsageError(message, hint="give --yes, or name them one by one")
    settings.console.talk(proposal_lines(decision, verb))
    if not settings.console.ask(f"{verb.capitalize()} them?"):
        raise Declined("nothing was decided")
