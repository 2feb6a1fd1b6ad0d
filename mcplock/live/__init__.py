"""Calls of approved tools: checked, compared with what was approved, then made."""

from typing import TYPE_CHECKING

from mcplock.lazy import exports

if TYPE_CHECKING:
    from mcplock.live.live import Confirm, Live
    from mcplock.live.result import Result
    from mcplock.live.sync import SyncLive

__all__ = ["Confirm", "Live", "Result", "SyncLive"]

__getattr__ = exports(
    __name__, {"live": ["Confirm", "Live"], "result": ["Result"], "sync": ["SyncLive"]}
)
