"""What a gate found, printed as a CI system takes it."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from mcplock.cli.settings import Settings, here
from mcplock.errors import McplockError

if TYPE_CHECKING:
    from mcplock.render.outcome import Outcome

Judge = Callable[[], "tuple[Outcome, int]"]
"""Judges, and gives what it found and the exit code."""


def finish_for_ci(settings: Settings, command: str, output: str, judge: Judge) -> int:
    """Print what `judge` finds in the format `output`; so is why it could not judge."""
    try:
        outcome, code = judge()
    except McplockError as error:
        from mcplock.render.error_outcome import error_outcome

        _tell(settings, error_outcome(command, error, _from_root), output)
        raise
    _tell(settings, outcome, output)
    return code


def print_markdown(settings: Settings, outcome: "Callable[[str], Outcome]") -> None:
    """Print the outcome of a command that is no gate; `outcome` takes the name of the lock."""
    from mcplock.workflow.places import from_root, root_of

    path = settings.lock_path
    settings.console.data(document(outcome(from_root(path, root_of(path))), "markdown"))


def _from_root(file: str) -> str:
    """A file that an error names, as the repository names it."""
    from mcplock.files import project_root
    from mcplock.workflow.places import from_root

    return from_root(Path(file), project_root(here()))


def _tell(settings: Settings, outcome: "Outcome", output: str) -> None:
    """Print `outcome`; a job of GitHub's gets a log for people and its summary too."""
    console = settings.console
    if settings.level:
        from mcplock.cli.level import addressed

        hints = [addressed(hint, settings.level) for hint in outcome.hints]
        outcome = outcome._replace(hints=hints)
    if output != "github":
        console.data(document(outcome, output))
        return
    from mcplock.render.github import log_lines
    from mcplock.render.spans import line

    console.detail(map(line, log_lines(outcome)))
    console.data(document(outcome, output))
    console.show([line(outcome.verdict)])
    settings.hint(outcome.hints)
    _summarise(settings, outcome)


def document(outcome: "Outcome", output: str) -> str:
    """What stdout gets."""
    match output:
        case "github":
            from mcplock.render.github import github_commands

            return github_commands(outcome)
        case "sarif":
            from mcplock.render.sarif import sarif

            return sarif(outcome)
        case "junit":
            from mcplock.render.junit import junit

            return junit(outcome)
        case _:
            from mcplock.render.markdown import markdown

            return markdown(outcome)


def _summarise(settings: Settings, outcome: "Outcome") -> None:
    """Add to the summary of the job that this runs in; what it has already counts."""
    name = settings.environ.get("GITHUB_STEP_SUMMARY")
    if not name:
        return
    from mcplock.render.markdown import SUMMARY, markdown

    path = Path(name)
    try:
        room = SUMMARY - (path.stat().st_size if path.exists() else 0)
        with path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(markdown(outcome, room))
    except OSError as error:
        settings.console.warn([f"GITHUB_STEP_SUMMARY cannot be written: {error.strerror}"])
