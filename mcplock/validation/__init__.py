"""JSON values against JSON Schemas that somebody else wrote, offline and in bounded time."""

from typing import TYPE_CHECKING

from mcplock.lazy import exports

if TYPE_CHECKING:
    from mcplock.validation.checker import Caveat, Checker, Judgement, Unjudged, Violation

__all__ = ["Caveat", "Checker", "Judgement", "Unjudged", "Violation"]

# Who only asks for the dialect of a schema does not wait for what evaluates it.
__getattr__ = exports(__name__, {"checker": __all__})
