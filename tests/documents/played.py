"""Terminal sessions in documents: played again, so that what they show is what happens.

A session stands in a `console` block under a line `<!-- played: SCENE -->`. Its lines that
begin with `$ ` are run, one after the other, in the project that the scene sets up; a line
that begins with `# ` is something that happens meanwhile. All other lines are output.
"""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.acceptance.conftest import PROGRAM, Workspace

from .scenes import SCENES, Scene
from .terminal import run

BLOCK = re.compile(
    r"(?<=<!-- played: )(?P<scene>[a-z-]+)(?P<head> -->\n```console\n)(?P<body>.*?)(?=```\n)",
    re.DOTALL,
)


def scenes_of(text: str) -> Iterator[Scene]:
    """The scenes that the sessions in `text` are played in."""
    for block in BLOCK.finditer(text):
        yield SCENES[block["scene"]]


def played(text: str, room: Callable[[str], Path], skip: Callable[[Scene], bool]) -> str:
    """`text` with the output of its sessions as it is now.

    room: an empty directory for a scene; skip: those that cannot be played here, whose
    sessions stay as they are.
    """

    def block(found: re.Match[str]) -> str:
        scene = SCENES[found["scene"]]
        if skip(scene):
            return found[0]
        return found["scene"] + found["head"] + play(scene, found["body"], room(found["scene"]))

    return BLOCK.sub(block, text)


def play(scene: Scene, session: str, room: Path) -> str:
    """The session with its output as it is now."""
    workspace = Workspace(room / "project", room / "home")
    workspace.root.mkdir()
    workspace.home.mkdir()
    scene.prepare(workspace)
    environ = workspace.environ()
    environ["PATH"] = os.pathsep.join(
        [str(workspace.root / "bin"), str(PROGRAM.parent), environ["PATH"]]
    )
    lines = []
    for line in session.splitlines():
        if line.startswith("$ "):
            lines += [line, run(line[2:], cwd=workspace.root, env=environ).rstrip("\n")]
        elif line.startswith("# "):
            lines.append(line)
            scene.events[line[2:]](workspace)
    return "".join(f"{line}\n" for line in lines if line)
