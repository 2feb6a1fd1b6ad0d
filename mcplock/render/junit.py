"""An outcome as JUnit XML, which Jenkins, GitLab, Azure and others show as tests."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from mcplock.lazy import pattern
from mcplock.render.neutral import short
from mcplock.render.outcome import Annotation, Level, Outcome, Row
from mcplock.text import visible

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_LOG_COMMAND = pattern(r"(##\w*)\[")
_LINE_COMMAND = pattern("^(\\s*):(?=:)", re.MULTILINE)
_COULD_NOT = frozenset({"unreachable", "unresolved", "untrusted", "error"})
"""The rules of what could not be judged, which is no failure of a test but an error."""


def junit(outcome: Outcome) -> str:
    """The document: a suite for each server, in it a case for each thing that is wrong.

    A server of which nothing is wrong has one case, which passes.
    """
    import xml.etree.ElementTree as ET

    root = ET.Element("testsuites", name=f"mcplock {outcome.command}")
    for name, found in _by_server(outcome).items():
        _suite(ET.SubElement(root, "testsuite", name=name), name, found, outcome.rows)
    for key in ("tests", "failures", "errors"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in root)))
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    # What a log would obey stands as a reference, which means the same.
    text = _LINE_COMMAND.sub(r"\1&#58;", _LOG_COMMAND.sub(r"\1&#91;", text))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _by_server(outcome: Outcome) -> Mapping[str, list[Annotation]]:
    """What is wrong, by the name of the suite; the lock as a whole has one of its own."""
    found: dict[str, list[Annotation]] = {row.server: [] for row in outcome.rows}
    for annotation in outcome.annotations:
        found.setdefault(annotation.server or visible(outcome.file), []).append(annotation)
    return found


def _suite(suite: "Element", name: str, found: Sequence[Annotation], rows: Iterable[Row]) -> None:
    from xml.etree.ElementTree import SubElement

    wrong = [row for row in found if row.level is Level.ERROR]
    errors = sum(row.rule in _COULD_NOT for row in wrong)
    suite.set("tests", str(max(1, len(found))))
    suite.set("failures", str(len(wrong) - errors))
    suite.set("errors", str(errors))
    suite.set("time", "0")
    for annotation in found:
        _case(suite, annotation)
    if not found:
        said = next((row.status for row in rows if row.server == name), "ok")
        SubElement(suite, "testcase", classname=name, name=said, time="0")


def _case(suite: "Element", annotation: Annotation) -> None:
    """A case; only what is an error fails, the rest is told in what the case prints."""
    from xml.etree.ElementTree import SubElement

    case = SubElement(
        suite,
        "testcase",
        classname=annotation.server or suite.get("name", ""),
        name=short(f"{annotation.label}: {annotation.rule}"),
        time="0",
        file=visible(annotation.place.file),
        line=str(max(1, annotation.place.line)),
    )
    if annotation.level is not Level.ERROR:
        SubElement(case, "system-out").text = annotation.text
        return
    kind = "error" if annotation.rule in _COULD_NOT else "failure"
    wrong = SubElement(case, kind, type=annotation.rule, message=short(annotation.message))
    wrong.text = annotation.text
