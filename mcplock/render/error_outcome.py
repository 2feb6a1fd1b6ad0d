"""Why nothing could be judged -> what CI systems take."""

from collections.abc import Callable

from mcplock.errors import Exit, Fault, FaultyFile, McplockError
from mcplock.model import Place
from mcplock.render.outcome import Annotation, Level, Outcome
from mcplock.text import visible
from mcplock.workflow.report import Conclusion

_LOCK = "mcp.lock"


def error_outcome(command: str, error: McplockError, from_root: Callable[[str], str]) -> Outcome:
    """The outcome of a run that ended with `error`; from_root: a file as its repository names it.

    Each fault of a file is annotated at its line.
    """
    faults = error.faults if isinstance(error, FaultyFile) else ()
    annotations = [_fault(fault, from_root) for fault in faults] or [_whole(error, from_root)]
    first = error.message.split("\n")[0]
    return Outcome(
        command=command,
        file=annotations[0].place.file,
        conclusion=Conclusion.FAIL if error.exit_code is Exit.NO else Conclusion.ERROR,
        verdict=f"could not judge: {first}",
        annotations=annotations,
        hints=[error.hint] if error.hint else [],
    )


def _fault(fault: Fault, from_root: Callable[[str], str]) -> Annotation:
    place = Place(from_root(fault.file), fault.line)
    first, *rest = str(fault).split("\n")
    return _annotation(place, first, *rest)


def _whole(error: McplockError, from_root: Callable[[str], str]) -> Annotation:
    first, *rest = error.message.split("\n")
    return _annotation(Place(from_root(_LOCK), 1), first, *rest)


def _annotation(place: Place, first: str, *rest: str) -> Annotation:
    label = visible(place.file)
    return Annotation("error", Level.ERROR, place, "", label, first, rest, ("error", first))
