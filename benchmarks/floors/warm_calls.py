"""Warm calls of one tool, in turn through mcplock and with the official SDK alone.

    python warm_calls.py ROUNDS '["python", "server.py", …]'

`command` starts a server with a tool `add`; the lock in the working directory has it as
`server-0`. Each way has a process of the server to itself. Prints a JSON list of pairs of
seconds, mcplock's and the SDK's.
"""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable

from mcp import Client, StdioServerParameters

import mcplock

WARM = 50
ARGUMENTS = {"a": 3, "b": 4}


async def timed(call: Callable[[], Awaitable[object]]) -> float:
    started = time.perf_counter()
    await call()
    return time.perf_counter() - started


async def main(rounds: int, command: list[str]) -> list[tuple[float, float]]:
    server = StdioServerParameters(command=command[0], args=command[1:])
    connection = mcplock.load().connect(confirm=lambda *_: True)
    async with Client(server) as client, connection as live:
        await client.list_tools()  # from then on it checks results, as mcplock does
        pairs = [
            (
                await timed(lambda: live.call("server-0/add", ARGUMENTS)),
                await timed(lambda: client.call_tool("add", ARGUMENTS)),
            )
            for _ in range(WARM + rounds)
        ]
    return pairs[WARM:]


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(int(sys.argv[1]), json.loads(sys.argv[2])))))
