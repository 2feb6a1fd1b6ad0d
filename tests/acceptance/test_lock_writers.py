"""Many writers, killed writers, and any environment: the lock is whole and the same."""

import json
import os
import random
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from mcplock.lockfile import load
from mcplock.model import Kind, Lock, State

from .conftest import PROGRAM, Result, Workspace, tool

SERVERS = [f"s{number}" for number in range(8)]
KILLS = 40


def at_once(workspace: Workspace, *commands: list[str]) -> list[Result]:
    with ThreadPoolExecutor(len(commands)) as pool:
        return list(pool.map(lambda words: workspace.run(*words), commands))


def lock(workspace: Workspace) -> Lock:
    file = load(workspace.lock_path)
    assert file.canonical
    return file.lock


def describe(workspace: Workspace, text: str) -> None:
    for name in SERVERS:
        workspace.serve(name, tools=[tool("fetch", f"{text} {name}."), tool("search")])


def descriptions(workspace: Workspace) -> dict[str, str]:
    return {
        name: locked.of(Kind.TOOL)["fetch"].content["description"]
        for name, locked in lock(workspace).servers.items()
    }


def test_eight_of_each_at_once_lose_nothing(workspace: Workspace) -> None:
    describe(workspace, "First")
    assert {r.code for r in at_once(workspace, *[["install", "--yes"]] * 8)} == {0}
    assert descriptions(workspace) == {name: f"First {name}." for name in SERVERS}

    describe(workspace, "Second")
    assert {r.code for r in at_once(workspace, *[["update", name] for name in SERVERS])} == {0}
    assert descriptions(workspace) == {name: f"Second {name}." for name in SERVERS}

    approve = [["approve", f"{name}/fetch"] for name in SERVERS]
    assert {r.code for r in at_once(workspace, *approve)} == {0}
    for locked in lock(workspace).servers.values():
        states = {name: entry.state for name, entry in locked.of(Kind.TOOL).items()}
        assert states == {"fetch": State.APPROVED, "search": State.NEW}


def test_eight_different_ones_at_once_lose_nothing(workspace: Workspace) -> None:
    describe(workspace, "First")
    workspace.ok("install", "--yes")
    workspace.serve("s1", tools=[tool("fetch", "Second s1.")])
    workspace.serve("s2", tools=[tool("fetch", "Second s2.")])
    workspace.serve("added", tools=[tool("fetch", "Added.")])

    results = at_once(
        workspace,
        ["install", "--yes"],
        ["update", "s1"],
        ["update", "s2"],
        ["approve", "s3", "--yes"],
        ["approve", "s4/fetch"],
        ["deny", "s5/fetch", "--reason", "no"],
        ["deny", "@s6", "--reason", "no", "--yes"],
        ["approve", "s7/search", "--note", "seen"],
    )

    assert [result.code for result in results] == [0] * 8
    servers = lock(workspace).servers
    assert set(servers) == {*SERVERS, "added"}
    assert set(servers["s1"].of(Kind.TOOL)) == set(servers["s2"].of(Kind.TOOL)) == {"fetch"}
    assert {entry.state for _, _, entry in servers["s3"].entries()} == {State.APPROVED}
    assert servers["s4"].of(Kind.TOOL)["fetch"].state is State.APPROVED
    assert servers["s5"].of(Kind.TOOL)["fetch"].state is State.DENIED
    assert servers["s6"].source.state is State.DENIED
    assert servers["s7"].of(Kind.TOOL)["search"].note == "seen"


def killed(workspace: Workspace, words: list[str], after: float) -> int:
    """Kill a run after so many seconds, where it has not ended yet; its return code."""
    process = subprocess.Popen(
        [PROGRAM, *words],
        cwd=workspace.root,
        env=workspace.environ(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(after)
    except subprocess.TimeoutExpired:
        os.kill(process.pid, signal.SIGKILL)
        return process.wait()


def test_a_killed_writer_leaves_the_old_lock_or_the_new_one(workspace: Workspace) -> None:
    tools = [tool(f"t{number}") for number in range(300)]
    workspace.serve("docs", tools=tools)
    workspace.ok("install", "--yes")
    new = workspace.lock_path.read_bytes()
    workspace.ok("approve", "*", "--yes")
    approved = workspace.lock_path.read_bytes()
    chance = random.Random(1)
    lasts = 1.0  # seconds; follows what the runs take, on a machine that may be busy
    kills = 0

    while kills < KILLS:
        words = ["reset" if workspace.lock_path.read_bytes() == approved else "approve"]
        code = killed(workspace, [*words, "*", "--yes"], chance.uniform(0.2, 1.1) * lasts)
        assert workspace.lock_path.read_bytes() in (new, approved)
        assert code in (0, -signal.SIGKILL)
        kills += code != 0
        lasts *= 1.05 if code else 0.9

    workspace.ok("reset", "*", "--yes")
    assert workspace.lock_path.read_bytes() == new


ODD = "Ünï ⟨\u200b\u0301\U0001f600 1e-7\n\tline"
APPROVE = ["approve", "*", "--yes", "--with-findings", "--note", "seen"]
ENVIRONMENTS = {
    "C": {"LANG": "C", "LC_ALL": "C"},
    "Turkish": {"LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"},
    "Latin-1": {"LC_ALL": "de_DE.ISO-8859-1", "PYTHONUTF8": "0"},
    "no UTF-8": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "ASCII streams": {"PYTHONIOENCODING": "ascii:strict"},
    "time zone": {"TZ": "Asia/Kathmandu"},
    "hash seed 0": {"PYTHONHASHSEED": "0"},
    "hash seed 1": {"PYTHONHASHSEED": "1"},
    "narrow": {"COLUMNS": "20", "LINES": "5", "TERM": "dumb"},
    "wide": {"COLUMNS": "500", "TERM": "xterm-256color"},
    "colour": {"FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"},
    "no colour": {"NO_COLOR": "1"},
    "short numbers": {"PYTHONINTMAXSTRDIGITS": "640"},
    "optimised": {"PYTHONOPTIMIZE": "2", "PYTHONDONTWRITEBYTECODE": "1"},
    "CI": {"CI": "true"},
    "umask and places": {"TMPDIR": "/tmp", "XDG_STATE_HOME": "/nonexistent-for-mcplock"},
}


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, bytes]:
    """A project of odd names and texts, and its lock as this machine writes it."""
    workspace = Workspace(tmp_path_factory.mktemp("odd"), tmp_path_factory.mktemp("home"))
    schema = {"type": "object", "properties": {ODD: {"default": 1e-7, "maximum": 1.0}}}
    huge = f'{{"name": "huge", "inputSchema": {{"maximum": {"9" * 4000}}}}}'
    texts = [tool(ODD, ODD) | {"inputSchema": schema}, tool("I"), tool("i"), tool("\u0131")]
    listed = ", ".join([*map(json.dumps, texts), huge])
    workspace.serve("Ünï ⟨漢", tools_text=f"[{listed}]", instructions=ODD)
    workspace.ok("install", "--yes")
    workspace.ok(*APPROVE)
    return workspace, workspace.lock_path.read_bytes()


@pytest.mark.parametrize("environ", ENVIRONMENTS.values(), ids=ENVIRONMENTS)
def test_the_same_bytes_whatever_the_environment_says(odd, environ) -> None:
    workspace, expected = odd
    workspace.lock_path.unlink()
    installed = workspace.run("install", "--yes", "--no-locked", env=environ)
    assert installed.code == 0, installed
    approved = workspace.run(*APPROVE, env=environ)
    assert approved.code == 0, approved
    assert workspace.lock_path.read_bytes() == expected
    assert workspace.run("check", "--offline", env=environ).code == 0
