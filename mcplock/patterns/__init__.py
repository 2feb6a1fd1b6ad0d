"""Regular expressions of JSON Schema (ECMA-262): read, judged, and matched in bounded time."""

from mcplock.patterns.reader import Feature, Reading, Unsupported, read
from mcplock.patterns.search import Allowance, Pattern, TooLong

__all__ = ["Allowance", "Feature", "Pattern", "Reading", "TooLong", "Unsupported", "read"]
