"""Code scanning shows a help for each rule."""

import re
from pathlib import Path

from mcplock.render.rules import RULES, rule

ROOT = Path(__file__).parents[3]


def test_every_rule_that_an_annotation_can_have_is_explained() -> None:
    page = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    in_entries = page.partition("## In an entry")[2].partition("## In a difference")[0]
    rules = set(re.findall(r"^\| `([a-z-]+)` \|", in_entries, re.MULTILINE))
    assert rules
    assert rules - RULES.keys() == set()


def test_a_rule_that_is_not_known_is_none_that_alarms() -> None:
    assert rule("brand-new").severity < min(RULES["drift"].severity, RULES["issue"].severity)
