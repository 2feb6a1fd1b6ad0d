"""Why nothing could be judged -> what CI systems and programs take."""

from collections.abc import Callable

from mcplock.errors import Exit, Fault, FaultyFile, McplockError
from mcplock.jsontext import Json
from mcplock.model import Issue, Place, Stage
from mcplock.render.document import VERSION, dump, issue_rows
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
        conclusion=_conclusion(error),
        verdict=f"could not judge: {first}",
        annotations=annotations,
        hints=[error.hint] if error.hint else [],
    )


def error_document(error: McplockError, **empty: Json) -> str:
    """The JSON document of a run that ended with `error`: an issue for each fault of a file.

    empty: what the document of that command holds otherwise, without content.
    """
    faults = error.faults if isinstance(error, FaultyFile) else ()
    messages = [str(fault) for fault in faults] or [error.message]
    issues = [Issue("", Stage.RESOLVE, message, "", error.hint) for message in messages]
    head: dict[str, Json] = {"version": VERSION, "conclusion": _conclusion(error).value}
    return dump(head | empty | {"issues": issue_rows(issues)})


def _conclusion(error: McplockError) -> Conclusion:
    return Conclusion.FAIL if error.exit_code is Exit.NO else Conclusion.ERROR


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
