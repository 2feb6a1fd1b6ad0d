"""One poisonous text in every place a stranger can write to, through every format."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mcplock.lockfile import edit
from tests.formats import commands, junit_cases, markdown_texts, sarif_results
from tests.locks import reworded

from .conftest import Workspace

POISON = """owned
::error::owned
  ::add-mask::owned
##[error]owned ##vso[task.complete result=Failed]owned ##teamcity[owned]
\x1b[31mowned\x1b[0m \x07 \u202eowned\u202c \u200b \x00 \ufffe ]]> %0A::error::owned
![owned](https://owned.example/i.png) [owned](https://owned.example) https://owned.example
www.owned.example owned@owned.example @owned-team #1 owned#1 GH-1
<img src=x onerror=owned> <script>owned</script> <a href="https://owned.example">owned</a>
</code></pre></summary></details> <!-- owned --> &lt;owned&gt;
| owned | owned |
|---|---|
`owned` ``owned`` ```owned
```
~~~
# owned
- owned
> owned
owned
=====
\\| \\` \\"""
NAME = "owned ::error:: ##[x] | `y` ``` <img src=x> ![z](https://owned.example) @owned #1 \\"
"""As a manifest takes it: every character of a server's name must show."""
WORDS = POISON.replace("\x00", "")
"""As an argument of a command takes it."""
FORMATS = ("text", "json", "github", "sarif", "junit", "markdown")
DIES = """
import sys
sys.stderr.write(sys.argv[1])
sys.exit(3)
"""


def poisoned(name: str, more: str = "") -> dict:
    text = POISON + more
    return {
        "name": name,
        "title": text,
        "description": text,
        "inputSchema": {
            "type": "object",
            "properties": {text: {"type": "string", "description": text, "enum": [text]}},
            "required": [text],
        },
        "annotations": {"title": text},
        text: text,
        "_meta": {text: text},
    }


def catalog(more: str = "") -> dict:
    text = POISON + more
    return {
        "serverInfo": {"name": text, "version": text},
        "instructions": text,
        "tools": [poisoned(POISON, more), poisoned("denied"), poisoned("noted"), poisoned("gone")],
        "prompts": [{"name": text, "description": text, "arguments": [{"name": text}]}],
        "resourceTemplates": [{"uriTemplate": text, "name": text, "description": text}],
    }


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A lock full of poison, a server that now says other poison, and one that dies of it."""
    base = tmp_path_factory.mktemp("hostile")
    workspace = Workspace(base / "project", base / "home")
    for directory in (workspace.root, workspace.home):
        directory.mkdir()
    subprocess.run(["git", "init", "-q", workspace.root], check=True)
    workspace.serve(NAME, **catalog())
    workspace.ok("install", "--yes")
    for words in (
        ("deny", f"{NAME}/denied", "--reason", "why"),
        ("approve", f"{NAME}/noted", "--with-findings", "--note", "why"),
        ("approve", f"{NAME}/gone", "--with-findings", "--note", "x"),
    ):
        workspace.ok(*words)
    edit(workspace.lock_path, lambda lock: reworded(lock, "why", WORDS))
    author = ["-c", "user.name=R", "-c", "user.email=r@example.com"]
    for words in (["add", "."], [*author, "commit", "-qm", "Lock"]):
        subprocess.run(["git", *words], cwd=workspace.root, check=True)
    workspace.run("approve", f"@{NAME}", "--with-findings", "--note", "why", "--yes")
    edit(workspace.lock_path, lambda lock: reworded(lock, "why", WORDS))
    (workspace.root / "dies.py").write_text(DIES, encoding="utf-8")
    (workspace.root / "tools.json").write_text(json.dumps(catalog()), encoding="utf-8")
    changed = catalog(" and more")
    del changed["tools"][-1]
    workspace.serve(NAME, **changed, page=2)
    manifest = workspace.root / "mcp.toml"
    dies = {"command": sys.executable, "args": ["dies.py", WORDS]}
    table = "".join(f"{key} = {json.dumps(value)}\n" for key, value in dies.items())
    text = manifest.read_text(encoding="utf-8")
    text += f"[servers.{json.dumps('dies ' + NAME)}]\n{table}"
    manifest.write_text(text, encoding="utf-8")
    assert workspace.run("install", "--yes").code == 2
    return workspace


COMMANDS = {
    "check": ["check", "--trust-sources"],
    "offline": ["check", "--offline", "--base", "HEAD"],
    "audit": ["audit", "--fail-on", "info"],
    "manifest": ["audit", "--manifest-only"],
    "saved": ["audit", "tools.json"],
}


@pytest.mark.parametrize("output", FORMATS)
@pytest.mark.parametrize("command", COMMANDS)
def test_no_format_obeys_it(
    workspace: Workspace, tmp_path: Path, command: str, output: str
) -> None:
    summary = tmp_path / "summary.md"
    words = [*COMMANDS[command], "--format", output]
    result = workspace.run(*words, env={"GITHUB_STEP_SUMMARY": str(summary)})

    assert result.code == 1, result
    log = result.out + result.err
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e]|##\w*\[", log)
    found = commands(log)
    assert bool(found) is (output == "github")
    assert all(told["title"].startswith("mcplock: ") for _, told, _ in found if "file" in told)
    match output:
        case "json":
            assert "owned" in json.dumps(json.loads(result.out))
        case "sarif":
            results = sarif_results(result.out)
            assert results
            assert not any("](" in row["message"]["text"] for row in results)
        case "junit":
            assert junit_cases(result.out)
        case "markdown":
            unobeyed(result.out)
        case "github":
            unobeyed(summary.read_text(encoding="utf-8"))


def unobeyed(document: str) -> None:
    shown, loose = markdown_texts(document)
    assert "owned" in shown
    assert "owned" not in loose
    assert not re.search("[@#]", loose)


OTHERS = [
    (["diff", "HEAD"], 1),
    (["diff", "--trust-sources"], 1),
    (["diff", "--unreviewed"], 1),
    (["update", "--dry-run", "--yes"], 2),
]


@pytest.mark.parametrize(("words", "code"), OTHERS, ids=str)
def test_what_a_pull_request_shows_obeys_nothing(
    workspace: Workspace, words: list[str], code: int
) -> None:
    result = workspace.run(*words, "--format", "markdown")

    assert result.code == code
    assert commands(result.out) == []
    unobeyed(result.out)
