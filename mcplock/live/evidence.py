"""What the end of a call says of whether its tool is still the approved one.

The arguments were checked before, so a refusal is evidence; but servers differ in how they
refuse: some answer an unknown tool and bad arguments with a result that is an error, others
with an error of the protocol.
"""

from enum import Enum
from typing import assert_never

METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602


class Answered(Enum):
    """How a server answered a call."""

    RESULT = "a result"
    FAILED = "a result that is an error"
    ERROR = "an error of the protocol"
    NOTHING = "no answer that can be used"


def is_suspicious(answered: Answered, code: int = 0) -> bool:
    """Whether the tool may have changed, so that it has to be compared unless it just was.

    code: of the protocol's error. No answer is the server's trouble, never evidence.
    """
    match answered:
        case Answered.FAILED:
            return True
        case Answered.ERROR:
            return code in (METHOD_NOT_FOUND, INVALID_PARAMS)
        case Answered.RESULT | Answered.NOTHING:
            return False
        case _ as never:
            assert_never(never)
