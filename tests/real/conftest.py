"""Projects of real servers; what is not installed is skipped with the reason."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.acceptance.conftest import Workspace

from .places import why_not_ready
from .servers import RealServer, Release, set_up

SECRET = "ntn_0123456789abcdefghij"
"""What the notion server is given as its token; it lists its tools whatever that is."""


class RealWorkspace(Workspace):
    """A project whose servers are real."""

    def environ(self) -> dict[str, str]:
        return {**super().environ(), "NOTION_TOKEN": SECRET}


@pytest.fixture
def real(tmp_path: Path) -> Callable[..., RealWorkspace]:
    """real(SERVER, …, older=False) -> a project of these servers."""

    def made(*servers: RealServer, older: bool = False) -> RealWorkspace:
        releases = [release for s in servers for release in (s.newest, s.older) if release]
        skip_unless_ready(releases)
        root, home = tmp_path / "project", tmp_path / "home"
        (root / ".git").mkdir(parents=True)
        home.mkdir()
        set_up(root, servers, older=older)
        return RealWorkspace(root, home)

    return made


def skip_unless_ready(releases: list[Release]) -> None:
    reasons = {why_not_ready(release.place) for release in releases} - {""}
    if reasons:
        pytest.skip("; ".join(sorted(reasons)))
