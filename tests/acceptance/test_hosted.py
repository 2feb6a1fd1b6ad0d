"""A hosted server behind OAuth, from the first refusal to the logout, as a person meets it."""

import importlib.util
import re
import signal
import stat
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import mcplock

from .conftest import PROGRAM, SECONDS, Result, Workspace

FIXTURE = Path(__file__).parents[2] / "fixtures" / "servers" / "hosted.py"
NO_KEYRING = {"PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}


@pytest.fixture(scope="module")
def hosted_module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hosted", FIXTURE)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def hosted(hosted_module: ModuleType, workspace: Workspace) -> Iterator[Any]:
    """A hosted server, named in the manifest."""
    with hosted_module.Hosted() as running:
        manifest = f'[servers.docs]\nurl = "{running.url}"\n'
        (workspace.root / "mcp.toml").write_text(manifest, encoding="utf-8")
        workspace.env |= NO_KEYRING
        yield running


def log_in(workspace: Workspace, *options: str) -> Result:
    """`mcplock login docs --no-browser`, with this test as the browser."""
    process = subprocess.Popen(
        [PROGRAM, "login", "docs", "--no-browser", *options],
        cwd=workspace.root,
        env=workspace.environ(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr
    said = ""
    for line in process.stderr:
        said += line
        if page := re.fullmatch(r"  (http\S+/authorize\S+)\n", line):
            urllib.request.urlopen(page[1], timeout=10).close()
    out, _ = process.communicate(timeout=SECONDS)
    return Result(process.returncode, out, said)


def written(workspace: Workspace) -> str:
    """All that lies in the project and at home, but for what keeps the login."""
    places = [*workspace.root.rglob("*"), *workspace.home.rglob("*")]
    return "".join(
        path.read_text(encoding="utf-8", errors="replace")
        for path in places
        if path.is_file() and path.name != "login.json"
    )


def test_a_hosted_server_is_locked_by_whoever_is_logged_in(
    hosted: Any, workspace: Workspace
) -> None:
    runs = [workspace.run("install", "--yes")]
    assert runs[0].code == 2
    assert "scheme Bearer" in runs[0].out and "hint: `mcplock login docs`" in runs[0].out

    runs.append(log_in(workspace))
    assert runs[1].code == 0, runs[1].err
    assert "docs sends you to another host to log in: 127.0.0.1:" in runs[1].err
    assert "kept in a file that only you can read, renewed by itself" in runs[1].out
    (login,) = workspace.home.rglob("login.json")
    assert stat.S_IMODE(login.stat().st_mode) == 0o600
    assert stat.S_IMODE(login.parent.stat().st_mode) == 0o700

    runs += [workspace.run("login", "--list"), workspace.run("install")]
    assert runs[2].out.startswith("docs  logged in, kept in a file")
    assert (runs[3].code, "+ hello" in runs[3].out) == (0, True)
    runs += [workspace.run("approve", "docs", "--yes"), workspace.run("check", "--format", "json")]
    assert [run.code for run in runs[4:]] == [0, 0]

    lock = workspace.root / "mcp.lock"
    yes = lambda *_: True  # noqa: E731
    with mcplock.load(lock).connect_sync(confirm=yes, environ=workspace.environ()) as live:
        assert "hello" in str(live.call("docs/hello", {}))

    hosted.provider.revoke(refresh=False)  # the token is renewed, without a person
    runs.append(workspace.run("check", "--verbose"))
    assert runs[-1].code == 0, runs[-1].out
    hosted.provider.revoke(refresh=True)
    runs += [workspace.run("check"), workspace.run("update", "--dry-run", "--format", "json")]
    assert runs[-2].code == 2
    assert "its login has ended" in runs[-2].out
    assert "hint: `mcplock login docs` logs in again" in runs[-2].out

    runs += [workspace.run("logout", "docs"), workspace.run("logout", "docs")]
    assert [run.out for run in runs[-2:]] == [
        "logged out of docs; its tokens were taken back\n",
        "there was no login to docs\n",
    ]
    assert not list(workspace.home.rglob("login.json"))

    told = "".join(run.out + run.err for run in runs) + written(workspace)
    secrets = [*hosted.provider.given]
    secrets += [form["code_verifier"][0] for _, form in hosted.provider.asked if "code" in form]
    assert len(secrets) == 6
    assert [secret for secret in secrets if secret in told] == []


def test_a_wider_login_replaces_one_that_lacks_a_scope(hosted: Any, workspace: Workspace) -> None:
    assert log_in(workspace, "--yes").code == 0
    hosted.provider.demands = "write"
    refused = workspace.run("install", "--yes")
    assert refused.code == 2
    assert "hint: `mcplock login --scope read --scope write docs`" in refused.out
    assert log_in(workspace, "--yes", "--scope", "read", "--scope", "write").code == 0
    assert workspace.run("install", "--yes").code == 0
    assert len(list(workspace.home.rglob("login.json"))) == 1

    odd = workspace.run("login", "--scope", "a b", "docs")
    assert (odd.code, "takes one scope" in odd.err) == (2, True)
    manifest = workspace.root / "mcp.toml"
    manifest.write_text(f'{manifest.read_text()}oauth = {{ scopes = ["read"] }}\n')
    refused = workspace.run("login", "--scope", "write", "docs")
    assert refused.code == 2
    assert "change `scopes` under `oauth` in mcp.toml:1" in refused.err


def test_an_interruption_leaves_nothing(hosted: Any, workspace: Workspace) -> None:
    process = subprocess.Popen(
        [PROGRAM, "login", "docs", "--no-browser", "--yes"],
        cwd=workspace.root,
        env=workspace.environ(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr
    while "/authorize" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out, err) == (130, "", "\nerror: interrupted\n")
    assert not list(workspace.home.rglob("login.json"))


def test_nobody_is_asked_where_nobody_is(hosted: Any, workspace: Workspace) -> None:
    untrusted = workspace.run("login", "docs", "--no-browser")
    assert untrusted.code == 2
    assert "no consent to contact it" in untrusted.err and "--yes" in untrusted.err
    assert hosted.provider.clients == {}
    hosted.provider.denies = "access_denied"
    denied = log_in(workspace, "--yes")
    assert (denied.code, denied.out) == (2, "")
    assert "error: docs: the login was refused: access_denied: not you" in denied.err
    assert not list(workspace.home.rglob("login.json"))


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ('headers = { Authorization = "Bearer ${T}" }', "is sent the credentials of the manifest"),
        (
            'oauth = { grant = "client_credentials", client_id = "ci", client_secret = "${T}", '
            'issuer = "https://login.example.com" }',
            "gets client credentials",
        ),
    ],
)
def test_who_sends_something_else_has_nothing_to_log_in_to(
    workspace: Workspace, more: str, words: str
) -> None:
    manifest = f'[servers.docs]\nurl = "https://docs.example.com/mcp"\n{more}\n'
    (workspace.root / "mcp.toml").write_text(manifest, encoding="utf-8")
    refused = workspace.run("login", "docs", env={"T": "a-token-of-mine"})
    assert refused.code == 2
    assert words in refused.err
    assert "a-token-of-mine" not in refused.err


def test_a_machine_checks_with_the_credentials_of_its_own(
    hosted: Any, workspace: Workspace
) -> None:
    manifest = workspace.root / "mcp.toml"
    manifest.write_text(
        f'[servers.docs]\nurl = "{hosted.url}"\n[servers.docs.oauth]\n'
        f'grant = "client_credentials"\nclient_id = "ci"\nclient_secret = "${{SECRET}}"\n'
        f'issuer = "{hosted.issuer}"\n',
        encoding="utf-8",
    )
    workspace.env["SECRET"] = "a-secret-for-machines"
    runs = [workspace.run("install", "--yes"), workspace.run("approve", "docs", "--yes")]
    runs.append(workspace.run("check", "--trust-sources"))
    assert [run.code for run in runs] == [0, 0, 0], runs
    assert 'oauth   client_secret: "${SECRET}"' in runs[0].err
    told = "".join(run.out + run.err for run in runs) + written(workspace)
    assert [it for it in ("a-secret-for-machines", *hosted.provider.given) if it in told] == []
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(f'{text}scopes = ["read", "write"]\n', encoding="utf-8")
    wider = workspace.run("check", "--offline")
    assert wider.code == 1  # what it asks for is part of what was approved
