"""Variables of CI systems, colour and git do not reach a test."""

import os
import subprocess
import sys
from pathlib import Path

NOISE = {"CI": "true", "NO_COLOR": "1", "COLUMNS": "40", "GIT_DIR": "/nowhere"}


def test_no_test_sees_where_the_suite_runs(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    (tmp_path / "test_seen.py").write_text(
        f"import os\ndef test_seen(): assert not {set(NOISE)!r} & set(os.environ)\n"
    )
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.conftest"]
    done = subprocess.run(
        [*words, "--rootdir", str(tmp_path), str(tmp_path)],
        cwd=root,
        env={**os.environ, **NOISE},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
