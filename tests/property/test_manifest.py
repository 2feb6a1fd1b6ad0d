"""Manifests: what is written arrives, whatever it looks like; no text makes a crash."""

import json
import tomllib
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from mcplock.errors import McplockError
from mcplock.manifest import Server, Unresolved, jsonc, load, resolve, toml
from mcplock.manifest.expand import expand, parts, references
from mcplock.manifest.literals import protect
from mcplock.manifest.resolve import texts
from mcplock.model import Place, Source, Transport

BOUNDED = settings(max_examples=150, deadline=None)

TEXT = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('"\\/*,:{}[]#\n '))
SCALARS = st.none() | st.booleans() | st.integers(-(10**20), 10**20) | TEXT
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)
BLANK = st.sampled_from(["", "", " ", "\n", "\t", "// x\n", '//"\n', "/* , */", '/*"{\n*/', "/**/"])


@st.composite
def commented(draw: st.DrawFn, value: object) -> str:
    """`value` as JSON with white space, comments and trailing commas anywhere between."""

    def written(item: object) -> str:
        match item:
            case dict():
                return inside(
                    "{}", [f"{written(k)}{draw(BLANK)}:{written(v)}" for k, v in item.items()]
                )
            case list():
                return inside("[]", [written(entry) for entry in item])
            case _:
                text = json.dumps(item, ensure_ascii=draw(st.booleans()))
                return draw(BLANK) + text + draw(BLANK)

    def inside(brackets: str, items: list[str]) -> str:
        comma = "," if items and draw(st.booleans()) else ""
        body = ",".join(items) + comma
        return (
            f"{draw(BLANK)}{brackets[0]}{draw(BLANK)}{body}{draw(BLANK)}{brackets[1]}{draw(BLANK)}"
        )

    return written(value)


@given(st.data(), JSON)
@BOUNDED
def test_comments_and_trailing_commas_change_nothing(data: st.DataObject, value: object) -> None:
    text = data.draw(commented(value))
    document = jsonc.read(text, "f")
    assert document.faults == []
    assert document.value == value


@given(st.data(), JSON)
@BOUNDED
def test_each_key_stands_on_the_line_that_is_told(data: st.DataObject, value: object) -> None:
    text = data.draw(commented(value))
    lines = text.split("\n")
    for path, line in jsonc.read(text, "f").lines.items():
        if path and isinstance(path[-1], str):
            shown = lines[line - 1]
            assert json.dumps(path[-1], ensure_ascii=True) in shown or (
                json.dumps(path[-1], ensure_ascii=False) in shown
            )


JSON_LIKE = st.lists(
    st.sampled_from(
        [
            '"a"',
            '"',
            "1",
            "-",
            "{",
            "}",
            "[",
            "]",
            ":",
            ",",
            "//",
            "/*",
            "*/",
            "\n",
            " ",
            "null",
            "x",
            "\\",
        ]
    ),
    max_size=30,
).map("".join)


@given(JSON_LIKE | TEXT)
@BOUNDED
def test_a_text_is_json_or_has_one_syntax_fault_within_it(text: str) -> None:
    document = jsonc.read(text, "f")
    for fault in [fault for fault in document.faults if fault.column]:
        assert document.value is None
        assert 1 <= fault.line <= text.count("\n") + 1
        assert len(fault.excerpt.split("\n")) == 2
    plain = json.JSONDecoder()
    try:
        value = plain.decode(text)
    except ValueError:
        return
    assert document.value == value or document.faults


TOML_LIKE = st.lists(
    st.sampled_from(
        [
            "a",
            "b.c",
            '"a"',
            "'",
            '"""',
            "'''",
            "=",
            " = ",
            "1",
            "[",
            "]",
            "[[",
            "{",
            "}",
            ",",
            "\n",
            "#",
            "\\",
            "[a]\n",
            "a = 1\n",
        ]
    ),
    max_size=30,
).map("".join)


@given(TOML_LIKE | TEXT)
@BOUNDED
def test_a_text_is_toml_or_has_a_fault(text: str) -> None:
    document = toml.read(text, "f")
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        assert document.faults
    else:
        assert document.faults == []
        assert document.value == value


TOML_VALUES = st.recursive(
    st.booleans() | st.integers(-1000, 1000) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=10,
)


def in_toml(value: object) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{quoted(k)} = {in_toml(v)}" for k, v in value.items()) + "}"
        case list():
            return "[\n" + "".join(f"  {in_toml(item)}, # ]\n" for item in value) + "]"
        case str():
            return quoted(value)
        case _:
            return json.dumps(value)


def quoted(text: str) -> str:
    return '"' + "".join(f"\\U{ord(char):08X}" for char in text) + '"'


@given(st.dictionaries(st.text(max_size=4), TOML_VALUES, max_size=5))
@BOUNDED
def test_every_key_of_toml_is_found_on_its_line(table: dict[str, object]) -> None:
    text = "".join(f"{quoted(key)} = {in_toml(value)}\n" for key, value in table.items())
    document = toml.read(text, "f")
    assert document.value == table
    lines = text.split("\n")

    def check(path: tuple[str | int, ...], value: object) -> None:
        line = lines[document.lines[path] - 1]
        if isinstance(path[-1], str):
            assert quoted(path[-1]) in line
        match value:
            case dict():
                for key, item in value.items():
                    check((*path, key), item)
            case list():
                for index, item in enumerate(value):
                    check((*path, index), item)

    for key, value in table.items():
        check((key,), value)


# ---- variables

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


# ---- secrets

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


# ---- files


@given(st.binary(max_size=200) | JSON_LIKE.map(str.encode) | TOML_LIKE.map(str.encode))
@BOUNDED
def test_no_file_makes_a_crash(content: bytes) -> None:
    for name in ("mcp.toml", "mcp.json"):
        try:
            load(Path("/nowhere") / name, read=lambda _: content)
        except McplockError as error:
            assert error.message


ODD = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(["", "x", "http://h", "ws://h", "\x00", "${A"]),
    lambda inner: st.lists(inner, max_size=2)
    | st.dictionaries(
        st.sampled_from(
            ["command", "args", "env", "url", "headers", "type", "transport", "cwd", "timeout",
             "disabled", "enabled", "env_vars", "env_http_headers", "bearer_token_env_var", "a", ""]
        ),
        inner,
        max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


@given(
    st.dictionaries(
        st.sampled_from(["mcpServers", "servers", "mcp", "context_servers", "x"]),
        ODD
        | st.dictionaries(st.sampled_from(["a", "b", "servers", "@a", "allowed"]), ODD, max_size=3),
        max_size=3,
    )
)
@BOUNDED
def test_no_type_in_any_place_makes_a_crash(value: object) -> None:
    content = json.dumps(value).encode()
    for name in ("opencode.json", "cline_mcp_settings.json"):
        try:
            manifest = load(Path("/nowhere") / name, read=lambda _: content)
        except McplockError as error:
            assert error.message
            continue
        for server in manifest.servers.values():
            try:
                resolve(server, Path("/"), {})
            except Unresolved as unresolved:
                assert unresolved.issue.message


@given(st.dictionaries(st.text(max_size=6), ODD, max_size=3))
@BOUNDED
def test_no_type_in_our_own_file_makes_a_crash(servers: dict[str, object]) -> None:
    bare = {name: value for name, value in servers.items() if "null" not in json.dumps(value)}
    text = "".join(f"servers.{quoted(name)} = {one_line(value)}\n" for name, value in bare.items())
    try:
        load(Path("/nowhere/mcp.toml"), read=lambda _: (text or "# ").encode())
    except McplockError as error:
        assert error.message


def one_line(value: object) -> str:
    return (
        in_toml(value)
        if not isinstance(value, list)
        else "[" + ", ".join(map(one_line, value)) + "]"
    )
