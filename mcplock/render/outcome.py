"""What a gate found, in the form that CI systems take: a verdict, rows, annotations."""

from collections.abc import Sequence
from enum import StrEnum

from mcplock.model import Place
from mcplock.records import NamedTuple
from mcplock.workflow.report import Conclusion


class Level(StrEnum):
    """How much an annotation weighs, in the words of SARIF."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Annotation(NamedTuple):
    """Something to say at one place of a file.

    rule: its short name; place: the file relative to the repository's root, as it is; server:
    "" for the lock as a whole; label: the entry; message: one line; detail: further ones.
    identity: what tells it from others, also after its line has moved. All but place and
    identity is safe to print.
    """

    rule: str
    level: Level
    place: Place
    server: str
    label: str
    message: str
    detail: Sequence[str] = ()
    identity: Sequence[str] = ()

    @property
    def text(self) -> str:
        """Message and detail, in lines."""
        return "\n".join([self.message, *self.detail])


class Row(NamedTuple):
    """One server: the sign of its status, its name, where it stands, what it has."""

    mark: str
    server: str
    status: str
    holds: str


class Block(NamedTuple):
    """Lines that belong together: the name they are about, or "", words of ours, the lines.

    is_diff: whether signs begin lines, indented by two or by four.
    """

    label: str
    said: str
    lines: Sequence[str]
    is_diff: bool = False


class Outcome(NamedTuple):
    """What one run of `command` found in `file`; every text is safe to print.

    annotations: the gravest first; blocks: the detail, for people.
    """

    command: str
    file: str
    conclusion: Conclusion
    verdict: str
    rows: Sequence[Row] = ()
    annotations: Sequence[Annotation] = ()
    blocks: Sequence[Block] = ()
    hints: Sequence[str] = ()


def by_weight(annotations: Sequence[Annotation]) -> list[Annotation]:
    """`annotations`, the gravest first, else in their order."""
    weights = list(Level)
    return sorted(annotations, key=lambda annotation: weights.index(annotation.level))
