"""Variables and literal secrets: nothing is lost on the way, and no secret is kept."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from mcplock.manifest import Server, Unresolved, resolve
from mcplock.manifest.expand import expand, parts, references
from mcplock.manifest.literals import protect
from mcplock.manifest.resolve import texts
from mcplock.model import Place, Source, Transport

BOUNDED = settings(max_examples=150, deadline=None)

FORMS = st.sampled_from(
    ["${A}", "${B:-x}", "${C:-${A}}", "$${A}", "${", "}", "$", "{", "${env:A}", "${x:y}"]
)
EXPANDABLE = st.lists(FORMS | st.text(max_size=5), max_size=8).map("".join)


@given(EXPANDABLE)
@BOUNDED
def test_the_parts_of_a_text_make_it_again(text: str) -> None:
    written = [
        part.replace("${", "$${") if isinstance(part, str) else part.written for part in parts(text)
    ]
    assert "".join(written) == text


@given(st.text())
@BOUNDED
def test_a_text_in_which_variables_are_escaped_stands_for_itself(text: str) -> None:
    if "$${" not in text:
        assert expand(text.replace("${", "$${"), lambda _: "x") == text


@given(EXPANDABLE)
@BOUNDED
def test_every_variable_that_is_asked_for_is_told(text: str) -> None:
    asked: set[str] = set()
    expand(text, lambda reference: asked.add(reference.name))
    assert asked <= {reference.name for reference in references(text)}


SECRET = st.text("abcdefghijkmnpqrstuvwxyz23456789", min_size=8, max_size=20).map("s3".__add__)
LOOSE = st.lists(
    st.sampled_from(
        ["${A}", "${B:-x}", "$${", " ", "--token", "=", ":", "/", "?", "@", "https://", "key"]
    )
    | SECRET.map("ghp_abcdefghij0123456789".__add__)
    | st.text("abc$ }", max_size=6),
    max_size=6,
).map("".join)


@given(
    st.lists(LOOSE, max_size=4),
    st.dictionaries(st.sampled_from(["X", "TOKEN", "PW"]), LOOSE),
    LOOSE,
)
@BOUNDED
def test_what_is_started_is_the_same_with_literals_kept_as_hashes(
    args: list[str], env: dict[str, str], command: str
) -> None:
    source = Source(Transport.STDIO, command=f"x{command}", args=tuple(args), env=env)
    protected = protect("a", source)
    place = Place("f")
    plain = Server("a", source, place)
    kept = Server("a", protected.source, place, literals=protected.literals)
    where, environ = Path("/"), {"A": "one"}
    try:
        expected = resolve(plain, where, environ)
    except Unresolved as error:
        try:
            resolve(kept, where, environ)
        except Unresolved as other:
            assert other.issue == error.issue
            return
        raise AssertionError(error.issue.message) from None
    found = resolve(kept, where, environ)
    assert (found.command, found.args, found.env) == (expected.command, expected.args, expected.env)


SPOTS = st.sampled_from(
    [
        {"env": {"API_KEY": "%s"}},
        {"env": {"X": "${API_KEY:-%s}"}},
        {"env": {"X": "postgres://u:%s@h/${DB}"}},
        {"env": {"X": '{"Authorization": "Bearer %s"}'}},
        {"args": ("--api-key", "%s")},
        {"args": ("--api-key=%s", "${X}")},
        {"args": ("-H", "X-Api-Key: %s")},
        {"args": ("-e", "PASSWORD=%s")},
        {"url": "https://h/?token=%s"},
        {"url": "https://%s@${HOST}/"},
        {"url": "https://u:%s@h/"},
        {"headers": {"Authorization": "Bearer %s"}},
        {"headers": {"Authorization": "Basic ${A}:%s"}},
        {"headers": {"X-Api-Key": "${X:-${Y:-%s}}"}},
    ]
)  # fmt: skip


def filled(value: object, secret: str) -> object:
    match value:
        case str():
            return value.replace("%s", secret)
        case tuple():
            return tuple(filled(item, secret) for item in value)
        case dict():
            return {key: filled(item, secret) for key, item in value.items()}
    raise AssertionError(value)


@given(SPOTS, SECRET)
@BOUNDED
def test_no_source_and_no_advice_holds_a_secret(spot: dict[str, object], secret: str) -> None:
    fields = filled(spot, secret)
    assert isinstance(fields, dict)
    source = Source(
        Transport.HTTP if "url" in spot or "headers" in spot else Transport.STDIO, **fields
    )
    protected = protect("srv", source)
    assert all(secret not in text for _, text in texts(protected.source))
    assert protected.told
    assert all(secret not in told.instead for told in protected.told)
    assert secret not in repr(protected)
    assert secret in protected.literals.values()
