"""Secrets of the configuration are nowhere: lock, streams, state directory, crash report."""

import json
import sys
from pathlib import Path

import pytest

from .conftest import CATALOG, Result, Workspace, tool

TOKEN = "tok-8f14e45fceea167a"
LITERAL = "sk-live-51H8xYz0123456789abcdef"


@pytest.fixture
def workspace(workspace: Workspace) -> Workspace:
    """A server that is given a secret in its environment, its arguments and its name."""
    catalog = {"tools": [tool("search")], "serverInfo": {"name": "x", "version": "1"}}
    (workspace.root / "s.json").write_text(json.dumps(catalog), encoding="utf-8")
    manifest = f"""
[servers.docs]
command = {json.dumps(sys.executable)}
args = [{json.dumps(str(CATALOG))}, "s.json", "--token", "${{API_TOKEN}}"]
env = {{ API_TOKEN = "${{API_TOKEN}}", OTHER = "${{GREETING:-hello}}" }}
"""
    (workspace.root / "mcp.toml").write_text(manifest, encoding="utf-8")
    return workspace


def everything(workspace: Workspace, *results: Result) -> str:
    files = [path for top in (workspace.root, workspace.home) for path in top.rglob("*")]
    written = [
        path.read_text(encoding="utf-8", errors="replace")
        for path in files
        if path.is_file() and path.name != "mcp.toml"
    ]
    return "\n".join([*written, *(result.out + result.err for result in results)])


def test_a_value_from_the_environment_is_written_and_printed_nowhere(
    workspace: Workspace,
) -> None:
    env = {"API_TOKEN": TOKEN}
    words = [
        ["install", "--yes"], ["approve", "*", "--yes"], ["check"], ["check", "--format", "json"],
        ["status", "-v"], ["show", "*", "-v"], ["list", "-v"], ["diff"], ["update"],
        ["trust", "-v"], ["export", "--format", "mcp", "-v"],
    ]  # fmt: skip

    results = [workspace.run(*line, env=env) for line in words]

    assert [result.code for result in results] == [0] * len(words), results
    assert TOKEN not in everything(workspace, *results)
    assert "${API_TOKEN}" in workspace.lock_path.read_text(encoding="utf-8")


def test_a_server_that_echoes_the_secret_is_told_without_it(workspace: Workspace) -> None:
    text = f"Use the token {TOKEN} for it."
    catalog = {"tools": [tool("search", text), tool("other")], "instructions": text}
    (workspace.root / "s.json").write_text(
        json.dumps(catalog).replace(TOKEN, "TOKEN-PLACE"), encoding="utf-8"
    )
    program = workspace.root / "echo.py"
    program.write_text(
        "import os, sys, runpy, pathlib\n"
        "path = pathlib.Path('s.json')\n"
        "text = path.read_text().replace('TOKEN-PLACE', os.environ['API_TOKEN'])\n"
        "target = pathlib.Path(os.environ['OUT'])\n"
        "target.write_text(text)\n"
        "print(os.environ['API_TOKEN'], file=sys.stderr, flush=True)\n"
        f"sys.argv = ['catalog.py', str(target)]\n"
        f"runpy.run_path({str(CATALOG)!r}, run_name='__main__')\n",
        encoding="utf-8",
    )
    out = workspace.root.parent / "out.json"
    manifest = f"""
[servers.docs]
command = {json.dumps(sys.executable)}
args = ["echo.py"]
env = {{ API_TOKEN = "${{API_TOKEN}}", OUT = {json.dumps(str(out))} }}
"""
    (workspace.root / "mcp.toml").write_text(manifest, encoding="utf-8")
    env = {"API_TOKEN": TOKEN}

    results = [
        workspace.run("install", "--yes", env=env),
        workspace.run("check", "-v", env=env),
        workspace.run("show", "*", "-v", env=env),
    ]

    assert TOKEN not in everything(workspace, *results)
    entry = workspace.lock["servers"]["docs"]["tools"]["search"]
    assert entry["invalid"] == "secret"


@pytest.mark.parametrize(
    "place",
    [
        'env = { API_KEY = "SECRET" }',
        'args = ["--api-key", "SECRET"]',
        'args = ["--api-key=SECRET"]',
        'args = ["https://user:SECRET@example.com/"]',
        'env = { API_KEY = "${UNSET:-SECRET}" }',
    ],
)
@pytest.mark.parametrize("command", [["install", "--yes"], ["status"], ["update"], ["trust"]])
def test_a_literal_secret_is_refused_and_not_repeated(
    workspace: Workspace, place: str, command: list[str]
) -> None:
    manifest = f'[servers.docs]\ncommand = "x"\n{place.replace("SECRET", LITERAL)}\n'
    (workspace.root / "mcp.toml").write_text(manifest, encoding="utf-8")

    result = workspace.run(*command)

    assert LITERAL not in everything(workspace, result)
    if command[0] == "install":
        assert result.code == 2
        assert "${" in result.out + result.err, "the form to write instead"


def test_a_crash_report_has_no_secret_and_is_for_its_user_alone(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Something that cannot happen here is made to: the lock's reader fails with the secrets."""
    saboteur = tmp_path / "saboteur"
    saboteur.mkdir()
    (saboteur / "sitecustomize.py").write_text(
        "import os, mcplock.lockfile.store as store\n"
        "def fail(*_):\n"
        f"    raise RuntimeError(os.environ['API_TOKEN'] + ' and {LITERAL}')\n"
        "store.read_lock = fail\n",
        encoding="utf-8",
    )
    workspace.run("install", "--yes", env={"API_TOKEN": TOKEN})
    path = workspace.environ().get("PYTHONPATH", "")
    env = {
        "API_TOKEN": TOKEN,
        "PYTHONPATH": f"{saboteur}:{path}",
        "TMPDIR": str(workspace.home),
    }

    result = workspace.run("list", "--manifest", "mcp.toml", env=env)

    assert result.code == 2
    assert "this is a bug in mcplock" in result.err
    assert "Traceback" not in result.err
    (report,) = workspace.home.glob("mcplock-crash-*.txt")
    assert str(report) in result.err
    text = report.read_text(encoding="utf-8")
    assert "RuntimeError: ${API_TOKEN} and ⟨a secret⟩" in text
    assert "mcplock list --manifest mcp.toml" in text
    assert report.stat().st_mode & 0o077 == 0
