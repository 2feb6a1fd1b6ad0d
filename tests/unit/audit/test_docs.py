"""`docs/findings.md` names every rule with its severity."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/findings.md").read_text(encoding="utf-8")
MADE = re.compile(r'Finding\(\s*"([a-z-]+)", Severity\.([A-Z]+)')
BY_NAME = {
    "denied-before": "high",
    "resembles": "info",
    "hidden-character": "high",
    "bidirectional": "high",
    "terminal-escape": "high",
}
"""The rules whose names stand elsewhere than where the finding is made."""


def test_the_page_names_every_rule_and_its_severity() -> None:
    rules = dict(BY_NAME)
    for package in ("audit", "changes"):
        for path in (ROOT / "mcplock" / package).glob("*.py"):
            rules |= {rule: hard.lower() for rule, hard in MADE.findall(path.read_text("utf-8"))}

    assert dict(re.findall(r"^\| `([a-z-]+)` \| (\w+) \|", PAGE, re.MULTILINE)) == rules
