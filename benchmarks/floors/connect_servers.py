"""The tools of all servers at once, asked with the official SDK: what an agent does today.

python connect_servers.py '[["python", "server.py"], …]'
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters


async def tools_of(command: list[str]) -> int:
    server = StdioServerParameters(command=command[0], args=command[1:])
    async with Client(server) as client:
        return len((await client.list_tools()).tools)


async def main(commands: list[list[str]]) -> None:
    counts = await asyncio.gather(*map(tools_of, commands))
    print(sum(counts))


if __name__ == "__main__":
    asyncio.run(main(json.loads(sys.argv[1])))
