"""`catalog.connect_sync`: the same calls for scripts, without asyncio in sight."""

import asyncio
import os
import threading
from collections.abc import Coroutine, Mapping
from typing import Any, Self, TypedDict, TypeVar

from mcplock.jsontext import Json
from mcplock.live.live import Confirm, Live, OnProgress
from mcplock.live.result import Result

T = TypeVar("T")


class How(TypedDict, total=False):
    """What `Catalog.connect_sync` takes: the same as `Catalog.connect`."""

    confirm: Confirm | None
    trust_sources: bool
    trust_lock: bool
    manifest: str | os.PathLike[str] | None
    environ: Mapping[str, str] | None
    ca_file: str | os.PathLike[str] | None


class SyncLive:
    """`Live` for code that does not await: also from several threads, and in a notebook.

    Its event loop runs on a thread of its own, where `confirm` and `progress` are called.
    """

    def __init__(self, live: Live) -> None:
        self._live = live
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._run(self._live.__aenter__())
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close every server; when this returns, nothing that they started is left."""
        loop, self._loop = self._loop, None
        if loop is None:
            return
        try:
            _wait(loop, self._live.close())
        except BaseException:
            _wait(loop, _others_end())  # interrupted once more: it ends everything by force
            raise
        finally:
            loop.call_soon_threadsafe(loop.stop)
            assert self._thread  # noqa: S101 - it came with the loop
            self._thread.join()
            loop.close()

    def call(
        self,
        name: str,
        arguments: Mapping[str, Json] | None = None,
        *,
        timeout: float | None = None,
        progress: OnProgress | None = None,
    ) -> Result:
        """As `Live.call`; interrupted with Ctrl-C, it tells the server that nobody waits."""
        return self._run(self._live.call(name, arguments, timeout=timeout, progress=progress))

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        if self._loop is None:
            work.close()
            from mcplock.errors import UsageError

            raise UsageError("the connection is not open: use `with catalog.connect_sync()`")
        return _wait(self._loop, work)


def _wait(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, T]) -> T:
    future = asyncio.run_coroutine_threadsafe(work, loop)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


async def _others_end() -> None:
    """Wait until all else that the loop runs has ended."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    await asyncio.gather(*others, return_exceptions=True)
