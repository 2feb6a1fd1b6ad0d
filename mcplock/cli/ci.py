"""What a gate found, and why it found nothing, printed as a CI system or a program takes it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mcplock.cli.settings import Settings, here
from mcplock.errors import McplockError

if TYPE_CHECKING:
    from mcplock.jsontext import Json
    from mcplock.render.outcome import Outcome

Judge = Callable[[], "tuple[Outcome, int]"]
"""Judges, and gives what it found and the exit code."""


def finish_for_ci(settings: Settings, command: str, output: str, judge: Judge) -> int:
    """Print what `judge` finds in the format `output`; so is why it could not judge."""
    with telling_errors(settings, command, output):
        outcome, code = judge()
    _tell(settings, outcome, output)
    return code


@contextmanager
def telling_errors(
    settings: Settings, command: str, output: str, **empty: "Json"
) -> Iterator[None]:
    """Print what ends the work within in the format `output` too, before it goes on its way.

    empty: what the JSON document of the command has where nothing was found; without it, that
    of a gate. Nothing may be printed within.
    """
    try:
        yield
    except McplockError as error:
        from mcplock.cli.level import mend_hint
        from mcplock.render.error_outcome import error_document, error_outcome

        mend_hint(settings, error)
        if output == "json":
            settings.console.data(error_document(error, **(empty or _OF_GATE)))
        elif output != "text":
            _tell(settings, error_outcome(command, error, _from_root), output)
        raise


_OF_GATE: "dict[str, Json]" = {"servers": [], "changes": []}


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
