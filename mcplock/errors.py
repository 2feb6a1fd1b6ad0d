"""What goes wrong, said so that its reader knows what to do next.

Every error of mcplock carries a message, a hint and an exit code, and is raised
where the file, the server and the tool are known. One place catches: `mcplock.cli`.
"""

from collections.abc import Sequence
from enum import IntEnum

from mcplock.records import NamedTuple


class Exit(IntEnum):
    """Exit codes, the same for every command."""

    OK = 0
    NO = 1  # the gate says no: drift, unreviewed, lock out of date, refused by the lock
    FAILED = 2  # could not do it or could not judge it
    TOOL_ERROR = 3  # `call`: the tool ran and reported an error
    INTERRUPTED = 130


class McplockError(Exception):
    """Something went wrong; `hint` is the command to run or the change to make.

    bug: the error that nobody foresaw, where mcplock itself failed.
    """

    exit_code = Exit.FAILED
    bug: Exception | None = None

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(McplockError):
    """The command line asks for something that does not exist or does not fit."""


class UnknownName(UsageError):
    """What the command line names is not there; `names`: as they were written."""

    def __init__(self, message: str, *names: str, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.names = names


class Refused(McplockError):
    """The lock, or a decision written in it, does not allow what was asked."""

    exit_code = Exit.NO


class Changed(Refused):
    """A tool is not what was approved any more: the server defines it otherwise, or not at all."""


class Unconfirmed(Refused):
    """A call that needs a person's yes did not get it."""


class Untrusted(McplockError):
    """A server may not be started: this machine has no consent for it."""


class InvalidArguments(UsageError):
    """Arguments that the locked schema does not allow; nothing was sent.

    violations: (JSON Pointer into the arguments, what is wrong there), each safe to print.
    """

    def __init__(
        self, message: str, violations: Sequence[tuple[str, str]], *, hint: str = ""
    ) -> None:
        super().__init__(message, hint=hint)
        self.violations = tuple(violations)


class ServerTrouble(McplockError):
    """A server cannot be reached, or its answer cannot be used: it says nothing of its tools."""


class InputRequired(McplockError):
    """A tool wants something of a person or a model before it goes on."""


class ProtocolError(McplockError):
    """A server answered a call with an error of the protocol, which is passed on as it is.

    code, data: as JSON-RPC has them.
    """

    def __init__(self, message: str, *, code: int, data: object = None, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.code = code
        self.data = data


class Fault(NamedTuple):
    """One fault of a file; a tuple, because every import of this module would pay for more.

    file: path as it is shown; line: from 1, 0 where no line can be named;
    key: dotted place in the file, "" where none can be named; column: from 1, 0 but for
    a fault of the syntax; excerpt: the line with a caret below it, "" where none is shown.
    """

    file: str
    line: int
    key: str
    message: str
    column: int = 0
    excerpt: str = ""

    def __str__(self) -> str:
        place = ":".join([self.file, *(str(at) for at in (self.line, self.column) if at)])
        told = f"{place}: {self.key}: {self.message}" if self.key else f"{place}: {self.message}"
        return f"{told}\n{self.excerpt}" if self.excerpt else told


class FaultyFile(McplockError):
    """A file that cannot be taken as it is; every fault in it is told at once."""

    def __init__(self, faults: Sequence[Fault], *, hint: str = "") -> None:
        super().__init__("\n".join(map(str, faults)), hint=hint)
        self.faults = tuple(faults)


class MissingFile(McplockError):
    """A file that a command needs is not there."""
