"""Which calls a person confirms: what `approve` writes, what is preselected."""

import pytest

from mcplock.model import Kind

from .conftest import Project, definition, server

READS = {"annotations": {"readOnlyHint": True}}


def confirms(project: Project) -> dict[str, str | None]:
    return {
        f"{name}/{tool}": entry.confirm
        for name, locked in project.lock.servers.items()
        for tool, entry in locked.of(Kind.TOOL).items()
    }


@pytest.mark.parametrize(
    ("policy", "trusted", "unasked"),
    [
        ("all", True, []),
        ("writes", False, []),
        ("writes", True, ["docs/read"]),
        ("none", False, ["docs/read", "docs/write"]),
    ],
)
def test_what_agents_call_unasked_is_preselected_and_said(
    project: Project, policy: str, trusted: bool, unasked: list[str]
) -> None:
    project.write({"docs": server(definition("read", **READS), definition("write"))})
    extra = f'[policy]\nconfirm = "{policy}"\n'
    project.write_manifest({"docs": "serve"}, extra)
    with (project.root / "mcp.toml").open("a") as manifest:
        manifest.write(f"trust_annotations = {str(trusted).lower()}\n")
    said = project.ok("approve", "docs", "--yes").out
    assert [name for name, confirm in confirms(project).items() if confirm] == unasked
    assert said.count("agents call it unasked") == len(unasked)


def test_a_person_decides_whether_calls_are_confirmed(project: Project) -> None:
    project.write({"docs": server(definition("read"), definition("write"))})
    project.ok("approve", "docs", "--yes", "--no-confirm")
    assert confirms(project) == {"docs/read": "never", "docs/write": "never"}
    project.ok("approve", "docs/write", "--confirm")
    assert confirms(project) == {"docs/read": "never", "docs/write": None}
    project.ok("approve", "docs", "--yes")
    assert confirms(project) == {"docs/read": "never", "docs/write": None}
    project.ok("reset", "docs/read")
    assert confirms(project) == {"docs/read": None, "docs/write": None}
