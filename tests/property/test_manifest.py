"""Manifests: what is written arrives, whatever it looks like; no text makes a crash."""

import json
import tomllib
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from mcplock.errors import McplockError
from mcplock.manifest import Unresolved, jsonc, load, resolve, toml

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
