"""mcplock, the lockfile for the tools that AI agents use.

An agent's author needs one function:

    import mcplock

    catalog = mcplock.load()
    tools = catalog.export("anthropic")

It reads the nearest `mcp.lock`, verifies every hash, and connects to nothing. What is here
is imported when it is first used.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcplock.catalog import Catalog, Omitted, Tool, load
    from mcplock.errors import FaultyFile, McplockError, MissingFile, Refused, UsageError

__all__ = [
    "Catalog",
    "FaultyFile",
    "McplockError",
    "MissingFile",
    "Omitted",
    "Refused",
    "Tool",
    "UsageError",
    "load",
]

__version__ = "0.1.0"

_ERRORS = frozenset({"FaultyFile", "McplockError", "MissingFile", "Refused", "UsageError"})


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module = import_module("mcplock.errors" if name in _ERRORS else "mcplock.catalog")
    found: object = getattr(module, name)
    return found
