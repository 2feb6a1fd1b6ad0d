"""Regular expressions of JSON Schema (ECMA-262): read, judged, and matched in bounded time."""

from typing import TYPE_CHECKING

from mcplock.lazy import exports
from mcplock.patterns.reader import Feature, Reading, Unsupported, read

if TYPE_CHECKING:
    from mcplock.patterns.search import Allowance, Pattern, TooLong

__all__ = ["Allowance", "Feature", "Pattern", "Reading", "TooLong", "Unsupported", "read"]

# Who only asks what stands in a pattern does not wait for what matches it.
__getattr__ = exports(__name__, {"search": ["Allowance", "Pattern", "TooLong"]})
