"""mcplock, the lockfile for the tools that AI agents use.

An agent's author needs one function:

    import mcplock

    catalog = mcplock.load()
    tools = catalog.export("anthropic")

It reads the nearest `mcp.lock`, verifies every hash, and connects to nothing. A call starts
the server of its tool:

    async with catalog.connect(confirm=ask_a_person) as live:
        result = await live.call("mcp__git__log", {"count": 3})

What is here is imported when it is first used.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcplock.catalog import Catalog, Omitted, Tool, load
    from mcplock.errors import (
        Changed,
        FaultyFile,
        InputRequired,
        InvalidArguments,
        McplockError,
        MissingFile,
        ProtocolError,
        Refused,
        ServerTrouble,
        Unconfirmed,
        Untrusted,
        UsageError,
    )
    from mcplock.live import Live, Result, SyncLive

__all__ = [
    "Catalog",
    "Changed",
    "FaultyFile",
    "InputRequired",
    "InvalidArguments",
    "Live",
    "McplockError",
    "MissingFile",
    "Omitted",
    "ProtocolError",
    "Refused",
    "Result",
    "ServerTrouble",
    "SyncLive",
    "Tool",
    "Unconfirmed",
    "Untrusted",
    "UsageError",
    "load",
]

__version__ = "0.1.0"

_CATALOG = frozenset({"Catalog", "Omitted", "Tool", "load"})
_LIVE = frozenset({"Live", "Result", "SyncLive"})


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    place = "catalog" if name in _CATALOG else "live" if name in _LIVE else "errors"
    found: object = getattr(import_module(f"mcplock.{place}"), name)
    return found
