"""The loader for environments without mcplock, run in an interpreter that has nothing else."""

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.unit.live.conftest import Project, definition

from .conftest import PROGRAM

PAGE = Path(__file__).parents[2] / "docs" / "agents.md"
USE = """
import sys
assert "mcplock" not in sys.modules
ends = [[tool["name"] for tool in tools]]
for name, arguments in json.loads(sys.argv[1]):
    try:
        ends.append(call(name, arguments))
    except RuntimeError as error:
        ends.append(str(error))
print(json.dumps(ends))
"""


def loader() -> str:
    text = PAGE.read_text(encoding="utf-8")
    (code,) = re.findall(
        r"^<!-- loader -->\n```python\n(.*?)^```\n", text, re.DOTALL | re.MULTILINE
    )
    return code


def test_an_interpreter_without_mcplock_loads_and_calls(tmp_path: Path) -> None:
    project = Project(tmp_path)
    broken = {"content": [{"type": "text", "text": "No."}], "isError": True}
    project.serve(definition("echo"), definition("fails"), results={"fails": broken})
    project.lock(fails={"confirm": None})
    environ = project.environ | {
        "HOME": str(tmp_path),
        "PATH": f"{PROGRAM.parent}:{project.environ['PATH']}",
        "PYTHONPATH": str(PAGE.parents[1]),
    }

    def run(*words: str | Path) -> str:
        done = subprocess.run(
            words, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run(PROGRAM, "export", "--format", "mcp", "-o", "tools.json")
    calls = [
        ("mcp__demo__echo", {"a": [1]}),
        ("mcp__demo__fails", {}),
        ("mcp__demo__none", {}),
    ]
    out = run(sys.executable, "-I", "-S", "-c", loader() + USE, json.dumps(calls))
    names, echoed, failed, unknown = json.loads(out)
    assert names == ["mcp__demo__echo", "mcp__demo__fails"]
    assert echoed["structuredContent"] == {"a": [1]}
    assert failed["isError"] is True
    assert "mcp__demo__none" in unknown
