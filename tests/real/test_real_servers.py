"""The whole way with servers that others wrote: install, approve, check, an upgrade, update."""

from collections.abc import Callable

import pytest

from .conftest import SECRET, RealWorkspace
from .servers import SERVERS, RealServer, point, set_up

Real = Callable[..., RealWorkspace]

UPGRADED = [server for server in SERVERS if server.older]
TOLD = {
    "filesystem": {
        ("move_file", "/annotations/openWorldHint"),
        ("read_media_file", "/description"),
        ("read_media_file", "/outputSchema/properties/content/items/anyOf"),
    },
    "memory": {("delete_entities", "/annotations"), ("read_graph", "/annotations")},
    "sequential-thinking": {
        ("sequentialthinking", "/inputSchema/properties/nextThoughtNeeded/type"),
        ("sequentialthinking", "/inputSchema/properties/isRevision/type"),
    },
    "git": {
        ("git_add", "/inputSchema/properties/files/minItems"),
        ("git_show", "/description"),
    },
    "time": {
        ("get_current_time", "/description"),
        ("get_current_time", "/outputSchema"),
        ("convert_time", "/annotations"),
    },
}
"""What its makers changed between the two releases, in part: by server, tool and pointer."""

pytestmark = pytest.mark.real
each = pytest.mark.parametrize("server", SERVERS, ids=[server.name for server in SERVERS])
each_upgraded = pytest.mark.parametrize("server", UPGRADED, ids=[s.name for s in UPGRADED])


def lock_and_approve(project: RealWorkspace) -> bytes:
    project.ok("install", "--yes")
    project.ok("approve", "*", "--yes")
    return project.lock_path.read_bytes()


def told(project: RealWorkspace, *command: str) -> set[tuple[str, str]]:
    """(tool, pointer) of every field that the command says has changed."""
    changes = project.run(*command, "--format", "json").document()["changes"]
    return {(change["name"], field["pointer"]) for change in changes for field in change["fields"]}


@each
def test_what_is_approved_stays_green_and_untouched(server: RealServer, real: Real) -> None:
    project = real(server)
    locked = lock_and_approve(project)
    written = project.lock_path.stat().st_mtime_ns
    assert len(project.lock["servers"][server.name]["tools"]) == server.tools

    check = project.ok("check")
    again = project.ok("install")
    update = project.ok("update")

    assert check.out.endswith("locked, reviewed and unchanged\n")
    assert "untouched" in again.out.splitlines()[-1]
    assert "untouched" in update.out.splitlines()[-1]
    assert project.lock_path.read_bytes() == locked
    assert project.lock_path.stat().st_mtime_ns == written


@each_upgraded
def test_an_upgrade_is_drift_until_somebody_approves_it(server: RealServer, real: Real) -> None:
    project = real(server, older=True)
    before = lock_and_approve(project)
    project.ok("check")

    point(project.root, server.name, server.newest)

    check = project.run("check")
    assert check.code == 1
    assert told(project, "check") >= TOLD[server.name]
    assert project.lock_path.read_bytes() == before
    update = project.ok("update")
    for tool, pointer in TOLD[server.name]:
        for shown in (check.out, update.out):
            assert tool in shown
            assert pointer in shown
    assert project.run("check").code == 1
    lock_and_approve(project)
    assert project.ok("check").out.endswith("locked, reviewed and unchanged\n")


def test_all_of_them_at_once_are_the_same_on_another_machine(real: Real) -> None:
    project = real(*SERVERS)
    locked = lock_and_approve(project)
    assert SECRET.encode() not in locked
    assert str(project.root).encode() not in locked

    clone = RealWorkspace(project.root.with_name("a clone elsewhere"), project.home / "other")
    clone.home.mkdir()
    (clone.root / ".git").mkdir(parents=True)
    set_up(clone.root, SERVERS)
    clone.lock_path.write_bytes(locked)
    foreign = {
        "TZ": "Asia/Kathmandu",
        "LC_ALL": "C",
        "LANG": "de_DE.UTF-8",
        "NOTION_TOKEN": "ntn_another_token_0123456",
        "COLUMNS": "40",
        "NODE_ENV": "production",
        "PYTHONHASHSEED": "7",
    }

    result = clone.run("check", "--trust-sources", env=foreign)

    assert result.code == 0, result
    assert clone.run("install", "--locked").code == 0
    assert clone.lock_path.read_bytes() == locked
