"""How long the lock takes to be read, and then a search in it: two numbers, in seconds.

    python search_lock.py mcp.lock

The first query of a catalog, which prepares the texts that are searched, against `load`;
the others against `json.loads` of the same bytes.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import mcplock

QUERIES = (
    "list the files of a folder",
    "create a slide with a picture",
    "what is the weather in Paris",
    "price of a stock last year",
    "send a message",
)


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main(path: Path) -> None:
    data = path.read_bytes()
    mcplock.load(path).search("warm up what is imported")
    rows = []
    for query in QUERIES:
        load = seconds(lambda: mcplock.load(path))
        catalog = mcplock.load(path)
        first = seconds(lambda found=catalog, words=query: found.search(words))
        parse = seconds(lambda: json.loads(data))
        later = seconds(lambda found=catalog: [found.search(words) for words in QUERIES])
        rows.append((first / load, later / len(QUERIES) / parse))
    print(json.dumps([statistics.median(column) for column in zip(*rows, strict=True)]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
