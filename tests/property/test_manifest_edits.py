"""Servers added to and removed from manifests: every other byte stays."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from mcplock.manifest import load
from mcplock.manifest.edit import add_server, remove_server
from mcplock.manifest.encoding import decode

BOUNDED = settings(max_examples=80, deadline=None)
NAMES = st.sampled_from(["a", "b.c", "@x/y", "é ü", "3", "on", "~", 'q"q', "null", "#h", "- x"])
WORDS = st.sampled_from(["010", "2026-01-01", "[", "*a", "null"]) | st.sampled_from(
    ["x", "1.10", "on", "", "a b", "#", "é", '"', "'", "{", "${V}", "\t", "\n", "\\", ": ", "-y"]
)
LOCAL = st.fixed_dictionaries(
    {"command": st.sampled_from(["npx", "./run me", "c#"])},
    optional={
        "args": st.lists(WORDS, min_size=1, max_size=4),
        "env": st.dictionaries(st.sampled_from(["A", "B_C", "x.y"]), WORDS, min_size=1, max_size=2),
        "cwd": st.just("d"),
    },
)
REMOTE = st.fixed_dictionaries(
    {"url": st.just("https://h/mcp")},
    optional={"headers": st.just({"X-A": "1 # 2"}), "type": st.sampled_from(["http", "sse"])},
)
ENTRIES = LOCAL | REMOTE
COMMENTS = st.sampled_from(["", "# about it\n", "\n", "\n# one\n\n# two\n", "\n\n\n"])


@st.composite
def toml_texts(draw: st.DrawFn, prefix: str = "") -> str:
    """A manifest with comments and blank lines at any place between tables."""
    servers = draw(st.dictionaries(NAMES, ENTRIES, max_size=3))
    text = draw(COMMENTS)
    if not servers or draw(st.booleans()):
        text += (f"[{prefix[:-1]}]\n" if prefix else "") + 'requires = ">=0.1"\n'
    for name, entry in servers.items():
        text += draw(COMMENTS) + f"[{prefix}servers.{json.dumps(name, ensure_ascii=False)}]"
        text += draw(st.sampled_from(["\n", "  # x\n", "\n# inside\n"]))
        for key, value in entry.items():
            text += f"{key} = {_toml(value)}\n"
    text += draw(COMMENTS)
    text += "[other]\nx = 1\n" if prefix and draw(st.booleans()) else ""
    return text.rstrip("\n") if draw(st.booleans()) else text


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f'"{key}" = {json.dumps(v)}' for key, v in value.items()) + " }"
    return json.dumps(value)


@st.composite
def yaml_texts(draw: st.DrawFn) -> str:
    key = draw(st.sampled_from(["servers", "mcp_servers"]))
    indent = draw(st.sampled_from([2, 4]))
    text = draw(COMMENTS) + draw(st.sampled_from(["", "requires: '>=0.1'\n"])) + f"{key}:  # ours\n"
    for name, entry in draw(st.dictionaries(NAMES, ENTRIES, max_size=3)).items():
        flow = draw(st.sampled_from([None, False]))
        block = yaml.safe_dump({name: entry}, allow_unicode=True, default_flow_style=flow)
        comment = draw(COMMENTS)
        text += comment + "".join(" " * indent + row for row in block.splitlines(keepends=True))
    text += draw(st.sampled_from(["", "policy: {confirm: all}\n", "# end\n", "\n\n"]))
    return text.rstrip("\n") if draw(st.booleans()) else text


def check(name: str, content: bytes, entry: dict, server: str = "new.one") -> None:
    with TemporaryDirectory() as directory:
        path = Path(directory) / name
        path.write_bytes(content)
        before = load(path).servers
        add_server(path, server, entry)
        added = path.read_bytes()
        assert set(load(path).servers) == {*before, server}
        remove_server(path, server)
        assert path.read_bytes() == content
        for other in before:
            path.write_bytes(added)
            remove_server(path, other)
            lines = decode(added, name).splitlines()
            left = decode(path.read_bytes(), name).splitlines()
            assert all(row in lines for row in left)  # nothing is reworded
            assert set(load(path).servers) == {*before, server} - {other}
        path.write_bytes(added)
        for one in (*before, server):
            remove_server(path, one)
        assert load(path).servers == {}


TAKEN_FOR_OTHERS = """\
1e3 12e5 1e-3 1.5e+3 .inf .NaN 0x1F 0o14 007 1_000 12:30 +1 -.5 1. 2026-01-01 ~ null true y n Y
<< = ! - ? : -- ... --- %x @ ` | > 'it' &a *a"""
BREAKS = ["\x85", "a\x85b", "a\u2028b", "\ufeff", "\x7f", "\r", "\r\n", "a\n\nb", " a", "a "]
TEXTS = st.sampled_from([*TAKEN_FOR_OTHERS.split(), *BREAKS]) | st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20
)
MANIFESTS = {
    "mcp.toml": 'requires = ">=0.1"\n',
    "pyproject.toml": "[tool.mcplock]\n",
    "mcp.yaml": "servers:\n",
}


@given(st.sampled_from(sorted(MANIFESTS)), st.lists(TEXTS, min_size=1, max_size=6))
@BOUNDED
def test_any_text_is_read_as_it_was_given(name: str, texts: list[str]) -> None:
    args = [text.replace("${", "$ {") for text in texts]
    with TemporaryDirectory() as directory:
        path = Path(directory) / name
        path.write_text(MANIFESTS[name])
        entry = {"command": "x", "args": args, "env": {"A": args[0]}}
        server = add_server(path, "s", entry | {"allow_literal_secrets": True})
        again = load(path)
    assert [*server.source.args] == [*again.servers["s"].source.args] == args
    assert again.servers["s"].source.env == {"A": args[0]}
    assert not [warning for warning in again.warnings if "YAML" in warning.message]


def encoded(text: str, newline: str, codec: str) -> bytes:
    return text.replace("\n", newline).encode(codec)


LAYOUTS = st.tuples(
    st.sampled_from(["\n", "\r\n"]), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"])
)


@given(toml_texts(), ENTRIES, LAYOUTS)
@BOUNDED
def test_toml(text: str, entry: dict, layout: tuple[str, str]) -> None:
    check("mcp.toml", encoded(text, *layout), entry)


@given(toml_texts("tool.mcplock."), ENTRIES)
@BOUNDED
def test_pyproject(text: str, entry: dict) -> None:
    check("pyproject.toml", text.encode(), entry)


@given(yaml_texts(), ENTRIES, LAYOUTS)
@BOUNDED
def test_yaml(text: str, entry: dict, layout: tuple[str, str]) -> None:
    check("mcp.yaml", encoded(text, *layout), entry)
