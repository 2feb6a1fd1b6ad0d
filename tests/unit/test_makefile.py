"""What the Makefile installs by name is there."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_group_that_is_installed_exists() -> None:
    text = (ROOT / "Makefile").read_text() + (ROOT / ".ci" / "run").read_text()
    groups = set(re.findall(r"--group ([a-z-]+)", text))
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    assert groups == known.keys()
