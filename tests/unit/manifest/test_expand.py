"""The forms of `${…}`."""

import pytest

from mcplock.manifest.expand import Reference, expand, parts, references

VALUES = {"A": "one", "B": "two", "EMPTY": "", "_x1": "odd", "T": "${B}"}


def expanded(text: str) -> str:
    return expand(text, lambda reference: VALUES.get(reference.name))


@pytest.mark.parametrize(
    "text, value",
    [
        ("", ""),
        ("plain", "plain"),
        ("${A}", "one"),
        ("x${A}y${B}z", "xoneytwoz"),
        ("${env:A}", "one"),
        ("${_x1}", "odd"),
        ("${A:-other}", "one"),
        ("${NONE:-other}", "other"),
        ("${EMPTY:-other}", "other"),
        ("${EMPTY}", ""),
        ("${NONE:-}", ""),
        ("${env:NONE:-other}", "other"),
        ("${NONE:-a:-b}", "a:-b"),
        ('${NONE:-{"a": {"b": 1}}}!', '{"a": {"b": 1}}!'),
        ("${NONE:-${A}-${B}}", "one-two"),
        ("${NONE:-${ALSO:-deep}}", "deep"),
        ("${NONE:-two\nlines}", "two\nlines"),
        ("$A $$ $(A) %A% {A} {env:A} $", "$A $$ $(A) %A% {A} {env:A} $"),
        ("$${A}", "${A}"),
        ("$$${A}", "$${A}"),
        ("$${A}${A}", "${A}one"),
        ("${NONE:-$${A}}", "${A}"),
        ("${T}", "${B}"),  # a value is not read again
        ("}${A}{", "}one{"),
    ],
)
def test_what_a_text_stands_for(text: str, value: str) -> None:
    assert expanded(text) == value


@pytest.mark.parametrize(
    "text, known",
    [
        ("${input:api-key}", True),
        ("${command:x.y}", True),
        ("${file:/run/secrets/token}", True),
        ("${/}", True),
        ("${{ secrets.X }}", True),
        ("${", False),
        ("${A", False),
        ("${}", False),
        ("${1}", False),
        ("${A B}", False),
        ("${A-default}", False),
        ("${A:=default}", False),
        ("${A:?message}", False),
        ("${A:+other}", False),
        ("${A:default}", False),
        ("${env:1}", True),
    ],
)
def test_what_is_none_of_our_forms(text: str, known: bool) -> None:
    [reference] = parts(text)
    assert isinstance(reference, Reference)
    assert (reference.written, reference.name) == (text, "")
    assert reference.known is known


def test_defaults_nest_so_far() -> None:
    assert expanded("${N:-" * 20 + "x" + "}" * 20) == "x"
    [reference] = parts("${N:-" * 30_000 + "x" + "}" * 30_000)
    assert isinstance(reference, Reference)
    assert not reference.known


def test_what_may_hold_a_literal_is_not_shown() -> None:
    [reference] = references("${KEY:=hunter2}")
    assert reference.shown == "${KEY…"
    assert Reference("${KEY:-hunter2}", "KEY", "hunter2").shown == "${KEY}"
    assert Reference("${input:key}", "").shown == "${input:key}"


def test_references_of_defaults_are_told() -> None:
    names = [reference.name for reference in references("${A:-${B:-${C}}}$${D}${E}")]
    assert names == ["A", "B", "C", "E"]
