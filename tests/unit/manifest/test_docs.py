"""`docs/manifest.md` says what is so."""

import re
from pathlib import Path

from mcplock.manifest import own
from mcplock.manifest.entries import SPELLINGS
from tests.unit.manifest.projects import Project

PAGE = (Path(__file__).parents[3] / "docs/manifest.md").read_text(encoding="utf-8")
TABLE_KEYS = set(re.findall(r"^\| `([a-z_.]+)` \|", PAGE, re.MULTILINE))


def test_the_examples_are_manifests(project: Project) -> None:
    project.write(".mcp.json", '{"mcpServers": {}}')
    examples = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert examples
    for example in examples:
        manifest = project.load(example)
        assert manifest.servers
        assert all(server.refused is None for server in manifest.servers.values())


def test_the_tables_name_every_key() -> None:
    policy = {f"policy.{key}" for key in own.POLICY_KEYS}
    assert {*own.TOP_KEYS, *own.SERVER_KEYS, *policy} - {"policy"} == TABLE_KEYS


def test_the_message_of_a_secret_is_the_one_that_is_shown(project: Project) -> None:
    text = '[servers.docs]\nurl = "https://h"\nheaders = { Authorization = "Bearer s3cr3t-1" }\n'
    refused = project.load(text).servers["docs"].refused
    assert refused is not None
    assert f"```\n{refused.message}\n```" in PAGE


def test_the_spellings_of_clients_are_named() -> None:
    for key in ("type", "url", "env"):
        for spelling in SPELLINGS[key]:
            assert f"`{spelling}`" in PAGE


def test_the_examples_in_yaml_are_manifests(project: Project) -> None:
    project.write(".mcp.json", '{"mcpServers": {}}')
    examples = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert examples
    for example in examples:
        manifest = project.load(example, "mcp.yaml")
        assert manifest.servers
        assert manifest.warnings == ()
