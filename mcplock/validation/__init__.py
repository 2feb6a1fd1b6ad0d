"""JSON values against JSON Schemas that somebody else wrote, offline and in bounded time."""

from mcplock.validation.checker import Caveat, Checker, Judgement, Unjudged, Violation

__all__ = ["Caveat", "Checker", "Judgement", "Unjudged", "Violation"]
