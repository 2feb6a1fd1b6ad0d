"""No process of a server outlives the command that started it, whatever it does to get away."""

import json
import sys
from pathlib import Path

import pytest

from tests.acceptance.conftest import Workspace
from tests.machine import alive

MISBEHAVING = Path(__file__).parents[2] / "fixtures" / "servers" / "misbehaving"


@pytest.mark.skipif(sys.platform != "linux", reason="subreapers and /proc are Linux's")
@pytest.mark.parametrize(("mode", "left"), [("children", 4), ("daemon", 1), ("bare-daemon", 1)])
def test_nothing_of_a_server_stays(
    workspace: Workspace, tmp_path: Path, mode: str, left: int
) -> None:
    pids = tmp_path / "pids"
    args = json.dumps([str(MISBEHAVING), mode, str(pids)])
    text = f"[servers.bad]\ncommand = {json.dumps(sys.executable)}\nargs = {args}\n"
    (workspace.root / "mcp.toml").write_text(text, encoding="utf-8")

    workspace.ok("install", "--yes")

    seen = [int(pid) for pid in pids.read_text().split()]
    assert len(seen) == left
    assert not [pid for pid in seen if alive(pid)]
