"""What the program says of its own commands: the table in the README and `docs/commands.md`."""

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from mcplock.cli.group import COMMANDS
from tests.acceptance.conftest import PROGRAM

PAGE = """\
# Commands

What `mcplock COMMAND --help` prints. `make docs` writes this page and a test compares it.

"""
MADE = re.compile(r"(?<=<!-- made: commands -->\n).*?(?=<!-- end -->)", re.DOTALL)


def with_table(readme: str) -> str:
    """The README with its table of commands as it is to be."""
    rows = "".join(
        f"| `mcplock {name}` | {text} |\n"
        for commands in COMMANDS.values()
        for name, text in commands.items()
    )
    return MADE.sub(lambda _: f"| command | does |\n|---|---|\n{rows}", readme, count=1)


def page() -> str:
    """The page `docs/commands.md`."""
    names = [name for commands in COMMANDS.values() for name in commands]
    with ThreadPoolExecutor(2) as pool:
        helps = list(pool.map(_help, [(), *((name,) for name in names)]))
    sections = zip(["mcplock", *(f"mcplock {name}" for name in names)], helps, strict=True)
    return PAGE + "\n".join(f"## {title}\n\n```text\n{text}```\n" for title, text in sections)


def _help(words: tuple[str, ...]) -> str:
    done = subprocess.run(
        [PROGRAM, *words, "--help"],
        env={**os.environ, "COLUMNS": "80", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout
