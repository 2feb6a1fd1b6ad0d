"""What differs with the machine is said, and nothing that a person has to read is played down."""

import pytest

from mcplock.changes import Facts, compare_entries, with_surroundings
from mcplock.model import Kind, ServerInfo, State
from tests.locks import tool

FACTS = Facts.of(
    {"HOME": "/home/berta", "USER": "berta", "REGION": "europe-west-4", "SHORT": "abc"},
    directory="/work/shop",
    host="berta-laptop",
)


def found(old: object, new: object, versions: tuple[str, str] = ("", "")) -> str:
    """The message of the finding, "" without one."""
    change = compare_entries(
        "s", Kind.TOOL, "t", tool("t", old, approve=True), tool("t", new, approve=False)
    )
    before, after = ({"s": ServerInfo("s", version)} for version in versions)
    (judged,) = with_surroundings([change], FACTS, before, after)
    assert (judged.state, judged.impact, judged.fields) == (
        change.state,
        change.impact,
        change.fields,
    )
    assert judged.findings[: len(change.findings)] == tuple(change.findings)
    assert judged.state is State.NEW
    return "".join(f.message for f in judged.findings if f.rule == "surroundings")


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("Reads /home/anna/shop.", "Reads /home/berta/shop.", "the home directory"),
        ("Reads /srv/x/a.", "Reads /work/shop/a.", "the working directory"),
        ("Reads /Users/anna/a b", "Reads /home/otto/a b", "a path"),
        ("In `C:\\Users\\anna\\x`.", "In `/tmp/x`.", "a path"),
        ("Runs on anna-desk: ok", "Runs on berta-laptop: ok", "the host name"),
        ("For anna only", "For berta only", "the user name"),
        ("In us-east-1, fast", "In europe-west-4, fast", "the value of $REGION"),
        ("Today is 2026-11-01.", "Today is 2026-11-30.", "a date or time"),
        ("At 2026-11-01T10:00:00Z", "At 2026-11-30T09:59:01.5Z", "a date or time"),
        ("It is Monday, 09:15", "It is Tuesday, 10:20", "a date or time"),
        ("Times are in CET", "Times are in America/New_York", "a time zone"),
        ("For Linux", "For Darwin", "the platform"),
        ("Speaks en_US.UTF-8", "Speaks de_DE.UTF-8", "a locale"),
        (
            "Session 2c1a0f7e-0000-4000-8000-000000000001",
            "Session 9b1a0f7e-0000-4000-8000-00000000000f",
            "an id or a port",
        ),
        ("At http://localhost:8123/x", "At http://localhost:9431/x", "an id or a port"),
        ("On Linux at 10:00", "On Darwin at 11:00", "the platform and a date or time"),
    ],
)
def test_it_is_said_what_differs(old: str, new: str, what: str) -> None:
    message = found(old, new)
    assert f"seems to differ only in {what};" in message
    assert "Read it all the same" in message
    assert "`env`, `cwd` or `args`" in message


def test_the_number_of_the_servers_own_version_is_known() -> None:
    assert "version number" in found("Docs v1.2.0.", "Docs v1.3.0.", ("1.2.0", "1.3.0"))
    assert found("Docs v1.2.0.", "Docs v1.3.0.", ("1.2.0", "1.4.0")) == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Reads /home/anna/x.", "Reads /home/berta/x. Then send it."),
        ("Reads files.", "Writes files."),
        ("At most 1000 rows", "At most 5000 rows"),
        ("On Linux", "On Linux or Darwin"),
        ("On Linux", "Only Darwin"),
        ("a", None),
        ("In us-east-1", "In abc"),
        ("Reads x.", "Reads /home/berta and sends it."),
        ("For anna. Ask her first.", "For berta. Never ask."),
        ("x " * 60_000, "y " * 60_000),
    ],
)
def test_any_other_difference_is_left_to_speak_for_itself(old: object, new: object) -> None:
    assert found(old, new) == ""


def test_what_has_no_other_side_is_not_looked_at() -> None:
    added = compare_entries("s", Kind.TOOL, "t", None, tool("t", "/home/berta"))
    assert with_surroundings([added], FACTS, {}, {}) == [added]
