"""What an edit of mcp.lock by hand does: it is caught, or it means what it says."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from mcplock.errors import FaultyFile
from mcplock.lockfile import format_lock, read_lock

from .conftest import Workspace, tool

SECRET = "hunter2-hunter2"


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of two servers, all of it approved but a tool that spells out a secret and a
    bad one, under git."""
    home = tmp_path_factory.mktemp("home")
    workspace = Workspace(tmp_path_factory.mktemp("original"), home, env={"API_TOKEN": SECRET})
    leaky = tool("leak", f"The token is {SECRET}.")
    bad = tool("bad") | {"inputSchema": "none"}
    workspace.serve("docs", tools=[tool("fetch"), tool("search"), leaky, bad], instructions="Hi.")
    workspace.serve("web", tools=[tool("fetch", "Fetches pages.")], instructions="Ho.")
    manifest = workspace.root / "mcp.toml"
    text = manifest.read_text(encoding="utf-8")
    text = text.replace("\n\n", '\nenv = { API_TOKEN = "${API_TOKEN}" }\n\n', 1)
    manifest.write_text(text, encoding="utf-8")
    workspace.ok("install", "--yes")
    workspace.run("approve", "*", "--yes")
    for words in ("init -q", "add -A", "-c user.name=a -c user.email=a@b commit -qm reviewed"):
        subprocess.run(["git", *words.split()], cwd=workspace.root, check=True)
    return workspace.root


@pytest.fixture
def reviewed(original: Path, tmp_path: Path) -> Workspace:
    shutil.copytree(original, tmp_path / "project")
    return Workspace(tmp_path / "project", tmp_path, env={"API_TOKEN": SECRET})


def edited(workspace: Workspace, change: Callable[[dict], object]) -> bytes:
    """The lock after a change by hand, to its servers."""
    document = workspace.lock
    change(document["servers"])
    return json.dumps(document, ensure_ascii=False, indent=2).encode()


def gate(workspace: Workspace, *words: str) -> int:
    return workspace.run("check", "--trust-sources", *words).code


def test_as_reviewed_it_is_good(reviewed: Workspace) -> None:
    assert gate(reviewed) == 0


def swap(servers: dict, a: tuple[str, ...], b: tuple[str, ...]) -> None:
    def parent(path: tuple[str, ...]) -> dict:
        place = servers
        for step in path[:-1]:
            place = place[step]
        return place

    one, other = parent(a), parent(b)
    one[a[-1]], other[b[-1]] = other[b[-1]], one[a[-1]]


def vouch(entry: dict) -> None:
    """Approve what is invalid."""
    del entry["invalid"]
    entry["approved"] = entry["hash"]


EDITS_THAT_ARE_CAUGHT: dict[str, Callable[[dict], None]] = {
    "the text": lambda s: s["docs"]["tools"]["fetch"].update(description=["Other."]),
    "the schema": lambda s: s["docs"]["tools"]["fetch"]["definition"].update(inputSchema={}),
    "the hash": lambda s: s["docs"]["tools"]["fetch"].update(hash="sha256:" + "0" * 64),
    "text and approved hash": lambda s: s["docs"]["tools"]["fetch"].update(
        description=["Other."], approved="sha256:" + "0" * 64
    ),
    "the source": lambda s: s["docs"]["source"].update(command="sh"),
    "the instructions": lambda s: s["docs"]["instructions"].update(text=["Obey."]),
    "invalid: schema, taken out": lambda s: s["docs"]["tools"]["bad"].pop("invalid"),
    "invalid, put in": lambda s: s["docs"]["tools"]["fetch"].update(invalid="schema"),
    "two tools of a server, swapped": lambda s: swap(
        s, ("docs", "tools", "fetch"), ("docs", "tools", "search")
    ),
    "a definition, moved to another name": lambda s: s["docs"]["tools"].update(
        read=s["docs"]["tools"].pop("fetch")
    ),
    "a tool and the instructions, swapped": lambda s: swap(
        s, ("docs", "tools", "fetch"), ("docs", "instructions")
    ),
    "confirm on instructions": lambda s: s["docs"]["instructions"].update(confirm="never"),
    "confirm: always": lambda s: s["docs"]["tools"]["fetch"].update(confirm="always"),
    "absent without a denial": lambda s: s["docs"]["tools"]["fetch"].update(absent=True),
}


@pytest.mark.parametrize("change", EDITS_THAT_ARE_CAUGHT.values(), ids=EDITS_THAT_ARE_CAUGHT)
def test_an_edit_that_does_not_fit_is_refused(reviewed: Workspace, change) -> None:
    with pytest.raises(FaultyFile):
        read_lock(edited(reviewed, change), "mcp.lock")


# (the edit, exit codes of `check --offline` and of `check`)
EDITS_THAT_MEAN_SOMETHING: dict[str, tuple[Callable[[dict], None], tuple[int, int]]] = {
    "an approval taken out is a reset": (
        lambda s: s["docs"]["tools"]["fetch"].pop("approved"),
        (1, 1),
    ),
    "another approved hash is a change to review": (
        lambda s: s["docs"]["tools"]["fetch"].update(approved="sha256:" + "0" * 64),
        (1, 1),
    ),
    "a denial put in is a denial": (
        lambda s: s["docs"]["tools"]["fetch"].update(denied="by hand"),
        (0, 0),
    ),
    "confirm put in is that decision": (
        lambda s: s["docs"]["tools"]["fetch"].update(confirm="never"),
        (0, 0),
    ),
    "an entry taken out is drift": (
        lambda s: s["docs"]["tools"].pop("fetch"),
        (0, 1),
    ),
    "entries of two servers swapped are drift": (
        lambda s: swap(s, ("docs", "tools", "fetch"), ("web", "tools", "fetch")),
        (0, 1),
    ),
    "instructions of two servers swapped are drift": (
        lambda s: swap(s, ("docs", "instructions"), ("web", "instructions")),
        (0, 1),
    ),
    "a tool moved among the prompts is drift": (
        lambda s: s["docs"].update(prompts={"fetch": s["docs"]["tools"].pop("fetch")}),
        (0, 1),
    ),
    "sources of two servers swapped are not those of the manifest": (
        lambda s: swap(s, ("docs", "source"), ("web", "source")),
        (1, 1),
    ),
    "invalid: secret taken out is drift": (
        lambda s: s["docs"]["tools"]["leak"].pop("invalid"),
        (1, 1),
    ),
    "invalid: secret taken out and approved is drift": (
        lambda s: vouch(s["docs"]["tools"]["leak"]),
        (0, 1),
    ),
    "invalid: secret put in is drift": (
        lambda s: s["docs"]["tools"]["fetch"].update(invalid="secret"),
        (0, 1),
    ),
    "denied and absent put in are drift": (
        lambda s: s["docs"]["tools"]["fetch"].update(denied="no", absent=True),
        (0, 1),
    ),
}


@pytest.mark.parametrize(
    ("change", "codes"), EDITS_THAT_MEAN_SOMETHING.values(), ids=EDITS_THAT_MEAN_SOMETHING
)
def test_an_edit_that_fits_means_what_it_says(reviewed: Workspace, change, codes) -> None:
    lock, _ = read_lock(edited(reviewed, change), "mcp.lock")
    reviewed.lock_path.write_bytes(format_lock(lock).encode())
    assert (gate(reviewed, "--offline"), gate(reviewed)) == codes


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s["docs"]["tools"]["fetch"].update(confirm="never"),
        lambda s: swap(s, ("docs", "tools", "fetch"), ("web", "tools", "fetch")),
        lambda s: vouch(s["docs"]["tools"]["leak"]),
    ],
)
def test_what_an_edit_decided_is_listed_since_a_revision(reviewed: Workspace, change) -> None:
    lock, _ = read_lock(edited(reviewed, change), "mcp.lock")
    reviewed.lock_path.write_bytes(format_lock(lock).encode())
    assert gate(reviewed, "--offline") == 0
    assert gate(reviewed, "--offline", "--base", "HEAD", "--no-new-decisions") == 1
