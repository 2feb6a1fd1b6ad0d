"""`mcp.toml` read completely: keys, faults, names, versions."""

from pathlib import Path

import pytest

from mcplock.errors import FaultyFile, McplockError
from mcplock.manifest import load
from mcplock.manifest.document import Document
from mcplock.manifest.encoding import MAX_CHARACTERS
from mcplock.manifest.requires import check_version
from mcplock.model import Source, Transport
from tests.unit.manifest.projects import Project

GOOD = """\
client_name = "acme"

[policy]
confirm = "writes"

[servers.docs]
url = "https://docs.example.com/mcp"
headers = { Authorization = "Bearer ${DOCS_TOKEN}" }

[servers.time]
command = "uvx"
args = ["mcp-server-time", "--local-timezone", "UTC"]
env = { LOG_LEVEL = "warn" }
cwd = "tools"
timeout = 60
lock = ["resources"]
capabilities = ["sampling", "roots", "roots"]
disabled = true
"""


def test_every_key_arrives(project: Project) -> None:
    manifest = project.load(GOOD)
    assert (manifest.confirm, manifest.client_name) == ("writes", "acme")
    assert (manifest.path, manifest.directory) == (project.root / "mcp.toml", project.root)
    assert list(manifest.servers) == ["docs", "time"]
    docs, time = manifest.servers.values()
    assert docs.source == Source(
        Transport.HTTP,
        url="https://docs.example.com/mcp",
        headers={"Authorization": "Bearer ${DOCS_TOKEN}"},
    )
    assert (docs.timeout, docs.resources, docs.disabled) == (120.0, False, False)
    assert time.source.content() == {
        "type": "stdio",
        "command": "uvx",
        "args": ["mcp-server-time", "--local-timezone", "UTC"],
        "env": {"LOG_LEVEL": "warn"},
        "cwd": "tools",
        "capabilities": ["roots", "sampling"],
    }
    assert (time.timeout, time.resources, time.disabled) == (60.0, True, True)
    assert str(time.place) == "mcp.toml:10"


def test_a_file_without_servers_is_a_manifest(project: Project) -> None:
    assert project.load("# nothing yet\n").servers == {}


def test_all_faults_are_told_at_once(project: Project) -> None:
    text = """\
client_name = ""
[policy]
confirm = "some"
client_name = "x"
[servers.a]
comand = "x"
[servers.b]
command = 3
args = ["x", 4]
env = { A = 1, "B=" = "", C = "\\u0000" }
[servers.c]
url = "https://c.example"
env = { A = "1" }
timeout = 0
[servers.d]
command = "x"
url = "http://x"
timeout = true
disabled = "yes"
[servers.e]
type = "ws"
url = "ws://x"
[servers.f]
url = "localhost:3000"
headers = { "X A" = "1", b = "1", B = "é" }
capabilities = ["root"]
lock = "resources"
[servers.g]
type = "stdio"
url = "http://x"
[servers]
h = "x"
i.command = " "
j.url = ""
k = { command = "a\\tb", cwd = "\\u001b" }
[server]
"""
    assert project.faults(text) == [
        "mcp.toml:1: client_name: must be a name of characters that show",
        'mcp.toml:3: policy.confirm: must be "all", "writes" or "none"',
        "mcp.toml:4: policy.client_name: belongs to the top of the file, above the first [table]",
        "mcp.toml:6: servers.a.comand: unknown key; did you mean `command`?",
        "mcp.toml:8: servers.b.command: must be a string, not a number",
        "mcp.toml:9: servers.b.args[1]: must be a string, not a number",
        "mcp.toml:10: servers.b.env.A: must be a string, not a number",
        "mcp.toml:10: servers.b.env.C: holds a NUL character",
        "mcp.toml:10: servers.b.env: `B…` is no name that a variable can have",
        "mcp.toml:13: servers.c.env: does not go with a server of type http",
        "mcp.toml:14: servers.c.timeout: must be a number of seconds above zero",
        "mcp.toml:17: servers.d.url: stands beside `command`: a server has one of them",
        "mcp.toml:18: servers.d.timeout: must be a number of seconds, not a boolean",
        "mcp.toml:19: servers.d.disabled: must be true or false, not a string",
        'mcp.toml:21: servers.e.type: `ws` is not supported; it must be "stdio", "http" or "sse"',
        "mcp.toml:24: servers.f.url: begins with `localhost`; it must be http or https",
        "mcp.toml:25: servers.f.headers: `X…` is no name that a header can have",
        "mcp.toml:25: servers.f.headers.B: is the same header as `b`",
        'mcp.toml:26: servers.f.capabilities[0]: must be "elicitation", "roots" or "sampling"',
        "mcp.toml:27: servers.f.lock: must be a list of strings, not a string",
        "mcp.toml:28: servers.g: is of type stdio and needs `command`",
        "mcp.toml:32: servers.h: must be a table, not a string",
        "mcp.toml:33: servers.i.command: is empty",
        "mcp.toml:34: servers.j.url: is empty",
        "mcp.toml:35: servers.k.command: holds a control character, U+0009",
        "mcp.toml:35: servers.k.cwd: holds a control character, U+001B",
        "mcp.toml:36: server: unknown key; did you mean `servers`?",
    ]


FAULTS = r"""
include = 1 | include: must be a list of strings, not a number
policy = 1 | policy: must be a table, not a number
servers = [] | servers: must be a table, not a list
servers = 1979-05-27 | servers: must be a table, not a date or time
client_name = 1.5 | client_name: must be a string, not a number
client_name = "a\u200bb" | client_name: must be a name of characters that show
"""
SERVER_FAULTS = r"""
command = 'x', timeout = inf | .timeout: must be a number of seconds above zero
command = 'x', timeout = nan | .timeout: must be a number of seconds above zero
command = 'x', env = [] | .env: must be a table of strings, not a list
command = 'x', env = {'' = 'x'} | .env: `` is no name that a variable can have
command = ['x'] | .command: must be a string, not a list
type = 'http', command = 'x' | : is of type http and needs `url`
type = 1, command = 'x' | .type: must be a string, not a number
url = 'http://h:x/' | .url: is no URL: its host or port cannot be read
url = 'http://[::1' | .url: is no URL: its host or port cannot be read
url = 'http://h:0' | .url: is no URL: its port cannot be 0
url = 'http:///x' | .url: names no host
url = 'http://h/a b' | .url: holds white space, a control character or a backslash
url = '/mcp' | .url: begins with no scheme; it must be http or https
url = 'http://h', headers = {A = "x\ny"} | .headers.A: holds a control character, U+000A
url = 'http://h', headers = {A = 'é'} | .headers.A: holds what no header can carry, U+00E9
"""


def rows(table: str) -> list[list[str]]:
    return [line.split(" | ") for line in table.strip().splitlines()]


@pytest.mark.parametrize("text, fault", rows(FAULTS))
def test_a_fault_of_the_file(project: Project, text: str, fault: str) -> None:
    assert project.faults(text) == [f"mcp.toml:1: {fault}"]


@pytest.mark.parametrize("text, fault", rows(SERVER_FAULTS))
def test_a_fault_of_a_server(project: Project, text: str, fault: str) -> None:
    assert project.faults(f"servers.a = {{{text}}}") == [f"mcp.toml:1: servers.a{fault}"]


def test_a_name_with_a_dot_needs_quotes(project: Project) -> None:
    assert project.faults("[servers.docs.v2]\ncommand = 'x'\n") == [
        "mcp.toml:1: servers.docs.v2: unknown key; a name with a dot stands in quotes:"
        ' `[servers."docs.v2"]`',
        "mcp.toml:1: servers.docs: needs `command` or `url`",
    ]


def test_a_dotted_key_without_measure_is_a_fault(project: Project) -> None:
    text = ".".join(["a"] * MAX_CHARACTERS) + " = 1\n"
    assert project.faults(text) == ["mcp.toml: has 524,292 characters; 262,144 are the most"]


@pytest.mark.parametrize("file", ["mcp.toml", "mcp.yaml", ".mcp.json"])
def test_the_markers_of_a_conflict_are_told_as_such(project: Project, file: str) -> None:
    path = project.write(file, "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n")
    with pytest.raises(FaultyFile) as caught:
        load(path)
    assert str(caught.value) == (
        f"{file}:3: conflict markers of git; this line stands between two sides"
    )
    assert caught.value.hint == f"merge the two sides of {file} by hand"


def test_a_heading_in_a_text_is_no_conflict(project: Project) -> None:
    text = '[servers.a]\ncommand = "x"\nargs = ["""\n<<<<<<< a\n=======\n"""]\n'
    assert list(project.load(text).servers) == ["a"]


def test_a_text_without_measure_is_a_fault(project: Project) -> None:
    text = f"servers.a = {{command = 'x', args = ['{'a' * 100_001}']}}"
    assert project.faults(text) == [
        "mcp.toml:1: servers.a.args[0]: has 100,001 characters; 100,000 are the most"
    ]


@pytest.mark.parametrize(
    "name",
    [
        "a",
        "*",
        "[a]",
        "a/b",
        "..",
        "a.b",
        "a b",
        "-a",
        "@scope/a",
        "größe",
        "名",
        "x" * 300,
        "__proto__",
    ],
)
def test_odd_names_are_names(project: Project, name: str) -> None:
    manifest = project.load(f"servers.'{name}'.command = 'x'")
    assert list(manifest.servers) == [name]


@pytest.mark.parametrize(
    "key, shown, problem",
    [
        ('""', '""', "a server needs a name"),
        ('"a\\u200bb"', '"a⟨U+200B⟩b"', "the name holds a character that does not show, ⟨U+200B⟩"),
        (
            '"\\u001b[2J"',
            '"⟨U+001B⟩[2J"',
            "the name holds a character that does not show, ⟨U+001B⟩",
        ),
        ('" a"', '" a"', "the name begins or ends with a space"),
        ('"a@sha256:0"', '"a@sha256:0"', "the name holds `@sha256:`, which belongs to a hash"),
        (f'"{"x" * 1001}"', "x" * 1001, "the name has 1,001 characters; 1,000 are the most"),
    ],
)
def test_a_name_that_nobody_could_type_is_refused(
    project: Project, key: str, shown: str, problem: str
) -> None:
    assert project.faults(f"servers.{key}.command = 'x'") == [
        f"mcp.toml:1: servers.{shown}: {problem}"
    ]


def test_a_name_that_means_the_source_of_another_is_refused(project: Project) -> None:
    assert project.faults("servers.x.command = 'x'\nservers.'@x'.command = 'x'") == [
        'mcp.toml:2: servers."@x": cannot be told from the source of `x`, at mcp.toml:1'
    ]


@pytest.mark.parametrize(
    "wanted, version, fits",
    [
        (">=0.2", "0.2.0", True),
        (">=0.2", "0.10", True),
        (">=0.2", "0.1.9", False),
        (">0.2", "0.2.0", False),
        ("<1,>=0.1", "0.1.0", True),
        ("<1, >=0.1", "1.0", False),
        ("<=0.2", "0.2.1", False),
        ("==0.1.0", "0.1", True),
        ("!=0.1", "0.1", False),
        ("~=1.4", "1.9", True),
        ("~=1.4", "2.0", False),
        ("~=1.4.2", "1.5", False),
    ],
)
def test_required_versions(wanted: str, version: str, fits: bool) -> None:
    document = Document("mcp.toml")
    document.value = {"requires": wanted}
    document.lines = {("requires",): 3}
    if fits:
        check_version(document, version)
    else:
        with pytest.raises(McplockError) as caught:
            check_version(document, version)
        assert caught.value.message == (
            f"mcp.toml:3: this manifest requires mcplock {wanted}, and this is {version}"
        )
    assert document.faults == []


@pytest.mark.parametrize(
    ("wanted", "version", "way"),
    [
        (">=0.2", "0.1", "upgrade "),
        (">0.1", "0.1", "upgrade "),
        ("==0.2", "0.1.5", "upgrade "),
        ("~=1.4", "1.3", "upgrade "),
        ("<2,>=1", "0.1", "upgrade "),
        ("<0.1", "0.1.0", "install an older "),
        ("<=0.1", "0.1.1", "install an older "),
        ("==0.1", "0.2", "install an older "),
        ("~=1.4", "2.0", "install an older "),
        ("!=0.1", "0.1", "install another "),
    ],
)
def test_the_way_out_leads_to_the_version_that_is_required(
    wanted: str, version: str, way: str
) -> None:
    document = Document("mcp.toml")
    document.value = {"requires": wanted}
    with pytest.raises(McplockError) as caught:
        check_version(document, version)
    assert caught.value.hint.startswith(f"{way}`mcplock-cli`")


def test_an_older_mcplock_does_not_judge_what_it_does_not_know(project: Project) -> None:
    with pytest.raises(McplockError, match="requires mcplock >=99"):
        project.load('requires = ">=99"\nfuture = 1\n')


@pytest.mark.parametrize("wanted", ['""', '"0.2"', '">=x"', "1", '">=0.1,"'])
def test_a_requirement_that_cannot_be_read(project: Project, wanted: str) -> None:
    assert project.faults(f"requires = {wanted}") == [
        'mcp.toml:1: requires: must be versions such as ">=0.2" or ">=0.2,<1"'
    ]


def test_a_manifest_of_another_revision_is_read_through_a_function(project: Project) -> None:
    files = {
        project.root / "mcp.toml": b'include = ["b.json"]\n[policy]\nconfirm = "none"\n',
        project.root / "b.json": b'{"servers": {"b": {"command": "x"}}}',
    }
    manifest = load(Path("mcp.toml"), read=lambda path: files[path])
    assert manifest.confirm == "none"
    assert list(manifest.servers) == ["b"]
