"""A source and the environment: what is really started."""

from pathlib import Path

import pytest

from mcplock.manifest import Launch, Server, Unresolved, resolve, variables
from mcplock.model import Place, Source, Transport

WHERE = Path("/project")


def stdio(**source: object) -> Server:
    return Server("a", Source(Transport.STDIO, **{"command": "x", **source}), Place("mcp.toml"))  # type: ignore[arg-type]


def http(url: str = "https://h/mcp", **headers: str) -> Server:
    return Server("a", Source(Transport.HTTP, url=url, headers=headers), Place("mcp.toml"))


def problem(server: Server, **environ: str) -> str:
    with pytest.raises(Unresolved) as caught:
        resolve(server, WHERE, environ)
    assert str(caught.value) == caught.value.issue.message
    return caught.value.issue.message


def test_variables_are_expanded_in_every_field(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    server = stdio(
        command="${TOOL}",
        args=("--x=${X}", "$X", "$${X}", "${Y:-d}"),
        env={"E": "${env:X}"},
        cwd="${DIR}",
    )
    launch = resolve(server, tmp_path, {"TOOL": "run", "X": "1", "DIR": "sub"})
    assert launch == Launch(
        Transport.STDIO,
        command="run",
        args=("--x=1", "$X", "${X}", "d"),
        cwd=tmp_path / "sub",
        env={"E": "1"},
    )
    assert variables(server.source) == ["TOOL", "X", "Y", "DIR"]
    remote = resolve(http("https://${X}/", A="${X}"), WHERE, {"X": "1"})
    assert (remote.url, remote.headers) == ("https://1/", {"A": "1"})


def test_the_source_keeps_what_is_written() -> None:
    server = stdio(env={"E": "${X}"}, cwd=".")
    resolve(server, WHERE.parent, {"X": "value"})
    assert server.source.content() == {
        "type": "stdio",
        "command": "x",
        "cwd": ".",
        "env": {"E": "${X}"},
    }


def test_all_missing_variables_are_named_with_their_places() -> None:
    server = http("https://${HOST}/", Authorization="Bearer ${NOPE}", X="${HOST}")
    assert problem(server) == (
        "not set: `HOST` (servers.a.url, servers.a.headers.X), "
        "`NOPE` (servers.a.headers.Authorization)"
    )
    assert problem(stdio(args=("${A}", "${B:-${C}}"), env={"E F": "${D}"})) == (
        'not set: `A` (servers.a.args[0]), `C` (servers.a.args[1]), `D` (servers.a.env."E F")'
    )


def test_a_default_is_only_read_where_it_is_needed() -> None:
    assert resolve(stdio(args=("${B:-${C}}",)), WHERE, {"B": "b"}).args == ("b",)


def test_a_variable_that_is_set_to_nothing_is_set() -> None:
    assert resolve(stdio(args=("${A}", "${A:-d}")), WHERE, {"A": ""}).args == ("", "d")


def test_variables_of_other_programs_cannot_be_resolved() -> None:
    server = stdio(
        args=("${workspaceFolder}/x", "${input:key}", "${A-b}", "${A"), env={"A": "${NOPE}"}
    )
    assert problem(server).split("; ") == [
        "not set: `NOPE` (servers.a.env.A)",
        "servers.a.args[0]: `${workspaceFolder}` cannot be resolved in this run",
        "servers.a.args[1]: `${input:key}` cannot be resolved in this run",
        "servers.a.args[2]: `${A…` is no form of `${NAME}`",
        "servers.a.args[3]: `${A…` is no form of `${NAME}`",
    ]


def test_a_variable_of_another_program_that_is_set_is_a_variable() -> None:
    launch = resolve(stdio(args=("${workspaceFolder}/x",)), WHERE, {"workspaceFolder": "/w"})
    assert launch.args == ("/w/x",)


@pytest.mark.parametrize(
    "command, started",
    [
        ("srv", "srv"),
        ("./srv", "/project/srv"),
        ("bin/srv", "/project/bin/srv"),
        ("../srv", "/project/../srv"),
        ("/usr/bin/srv", "/usr/bin/srv"),
        ("~/srv", "/home/me/srv"),
        ("~", "~"),
        ("~you/srv", "/project/~you/srv"),
        ("${HOME}/srv", "/home/me/srv"),
        ("C:\\tools\\srv.exe", "C:\\tools\\srv.exe"),
        ("C:/tools/srv.exe", "C:/tools/srv.exe"),
    ],
)
def test_relative_commands_lie_below_the_manifest(command: str, started: str) -> None:
    assert resolve(stdio(command=command), WHERE, {"HOME": "/home/me"}).command == started


def test_the_directory_of_work(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "home/x").mkdir(parents=True)
    environ = {"HOME": str(tmp_path / "home")}
    for written, there in [
        ("", "."),
        (".", "."),
        ("tools", "tools"),
        ("~/x", "home/x"),
        ("~", "home"),
    ]:
        assert resolve(stdio(cwd=written), tmp_path, environ).cwd == tmp_path / there
    assert resolve(stdio(cwd=str(tmp_path)), WHERE, {}).cwd == tmp_path
    windows = {"USERPROFILE": str(tmp_path / "home")}
    assert resolve(stdio(cwd="~/x"), tmp_path, windows).cwd == tmp_path / "home/x"
    (tmp_path / "file").touch()
    for written in ("gone", "file", "~you"):
        assert problem(stdio(cwd=written), HOME="/") == (
            f"servers.a.cwd: no such directory: {written}"
        )


@pytest.mark.parametrize(
    "value, told",
    [
        ("", "begins with no scheme; it must be http or https"),
        ("ftp://h", "begins with `ftp`; it must be http or https"),
        ("https://", "names no host"),
        ("https://h:port", "is no URL: its host or port cannot be read"),
        ("https://h\n", "holds white space, a control character or a backslash"),
    ],
)
def test_a_url_is_looked_at_when_it_is_whole(value: str, told: str) -> None:
    of = " (from `${URL}`)" if value else ""
    assert problem(http("${URL}"), URL=value) == f"servers.a.url: {told}{of}"


def test_a_header_is_looked_at_when_it_is_whole() -> None:
    assert problem(http(A="${V}"), V="a\nX: b") == (
        "servers.a.headers.A: holds what no header can carry, U+000A (from `${V}`)"
    )
    assert resolve(http(A="${V}"), WHERE, {"V": " a "}).headers == {"A": "a"}


def test_an_empty_command_is_told() -> None:
    assert problem(stdio(command="${V}"), V="") == "servers.a.command: is empty"


LONG, SHORT = "s3cr3t-value-1", "s3cr3t"
ENVIRON = {"API_KEY": LONG, "PLAIN": "plain-value", "PW": SHORT, "OTHER": "a-longer-value-2"}


@pytest.mark.parametrize(
    "server, secrets",
    [
        (stdio(env={"X": "${API_KEY}"}), {LONG: "${API_KEY}"}),
        (stdio(env={"API_KEY": "${PLAIN}"}), {"plain-value": "${PLAIN}"}),
        (stdio(env={"X": "${PLAIN}"}), {}),
        (stdio(env={"X": "${PW}"}), {}),  # too short to be looked for
        (stdio(args=("--token", "${PLAIN}")), {"plain-value": "${PLAIN}"}),
        (stdio(args=("--token=${PLAIN}",)), {"plain-value": "${PLAIN}"}),
        (stdio(args=("X-Token: Bearer ${PLAIN}",)), {"plain-value": "${PLAIN}"}),
        (stdio(args=("--zone", "${PLAIN}")), {}),
        (http(A="x ${PLAIN}"), {"plain-value": "${PLAIN}"}),
        (http("https://h/${PLAIN}"), {}),
        (http("https://${PLAIN}@h/"), {"plain-value": "${PLAIN}"}),
        (http("https://me:${PLAIN}@h/"), {"plain-value": "${PLAIN}"}),
        (http("https://h/?q=${PLAIN}"), {"plain-value": "${PLAIN}"}),
        (http("https://h/#${PLAIN}"), {"plain-value": "${PLAIN}"}),
        (http("https://h/?q=${NOPE:-default-value}"), {}),
        (
            stdio(args=("${API_KEY}${OTHER}",), env={"TOKEN": "${OTHER}"}),
            {"a-longer-value-2": "${OTHER}", LONG: "${API_KEY}"},
        ),
    ],
)  # fmt: skip
def test_which_values_are_secret(server: Server, secrets: dict[str, str]) -> None:
    launch = resolve(server, WHERE, ENVIRON)
    assert launch.secrets == secrets
    assert list(launch.secrets) == sorted(secrets, key=len, reverse=True)


def test_secrets_inside_of_a_value() -> None:
    url = "https://me:inner-password@h/mcp?key=inner-key-1"
    launch = resolve(http("${URL}"), WHERE, {"URL": url})
    assert launch.secrets == {"inner-password": "${URL}", "inner-key-1": "${URL}"}
    database = {"DB": "postgresql://me:inner-password@h/db"}
    launch = resolve(stdio(env={"DB": "${DB}"}), WHERE, database)
    assert launch.secrets == {"inner-password": "${DB}"}
    launch = resolve(stdio(args=("${REPO}",)), WHERE, {"REPO": "https://some-user-name@h/x"})
    assert launch.secrets == {"some-user-name": "${REPO}"}


def test_a_secret_is_known_in_its_url_form_too() -> None:
    launch = resolve(http("https://h/?k=${API_KEY}"), WHERE, {"API_KEY": "a/b+c=d=e"})
    assert launch.secrets == {"a%2Fb%2Bc%3Dd%3De": "${API_KEY}", "a/b+c=d=e": "${API_KEY}"}


def test_no_repr_shows_a_value() -> None:
    local = stdio(args=("${API_KEY}",), env={"X": "${API_KEY}"})
    for server in (local, http(A="${API_KEY}"), http("https://h/?k=${API_KEY}")):
        assert LONG not in repr(resolve(server, WHERE, ENVIRON))


@pytest.mark.parametrize(
    ("url", "value", "said"),
    [
        ("${U}", "http://[::x", "is no URL: its host or port cannot be read"),
        ("http://${U}/mcp", "h:port", "is no URL: its host or port cannot be read"),
        ("http://h/${U}", "a b", "holds white space, a control character or a backslash"),
        ("http://h/${U}", "a\udcffb", "holds a byte that is no UTF-8"),
    ],
)
def test_a_url_that_a_variable_spoils_is_told_with_its_place_and_the_variable(
    url: str, value: str, said: str
) -> None:
    told = problem(http(url), U=value)
    assert told == f"servers.a.url: {said} (from `${{U}}`)"


def test_a_byte_that_is_no_utf_8_cannot_stand_in_a_header_or_a_parameter() -> None:
    told = problem(http(Authorization="Bearer ${T}"), T="long-enough\udcff")
    place = "servers.a.headers.Authorization"
    carried = "holds what no header can carry, a byte that is no UTF-8"
    assert told == f"{place}: {carried} (from `${{T}}`)"
    source = Source(Transport.HTTP, url="https://h/", oauth={"client_id": "${T}"})
    told = problem(Server("a", source, Place("mcp.toml")), T="x\udcff")
    assert told == "servers.a.oauth.client_id: holds a byte that is no UTF-8 (from `${T}`)"


def test_a_process_is_given_any_byte() -> None:
    launch = resolve(stdio(env={"A_TOKEN": "${T}"}), WHERE, {"T": "long-enough\udcff"})
    assert launch.env == {"A_TOKEN": "long-enough\udcff"}
    assert launch.secrets["long-enough\udcff"] == "${T}"
