"""Install the servers that the tests marked `real` talk to.

    python -m tests.real.setup [--frameworks]

They go into `.real/` in this checkout, each at the version that the lock files beside this
module pin. What is there already is left alone. No package's install script runs, so that
nothing is fetched but packages. With `--frameworks` the agent frameworks are installed too,
each into an environment of its own; one that cannot be is told, and its tests are skipped.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .places import FRAMEWORKS, NEWER, NPM, OLDER, Place, node_is_absent

QUIET = {
    "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "npm_config_update_notifier": "false",
}
SECONDS = 600


def install_npm(place: Place) -> None:
    for path in place.pins:
        shutil.copy(path, place.directory)
    options = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"]
    run(["npm", "ci", *options], cwd=place.directory)


def install_pypi(place: Place) -> None:
    run([sys.executable, "-m", "venv", "--without-pip", place.directory])
    pip = [sys.executable, "-m", "pip", "--python", place.directory, "install", "--quiet"]
    run([*pip, *(word for path in place.pins for word in ("-r", path))])


def run(command: list[str | Path], cwd: Path | None = None) -> None:
    """Run it; where it fails its output is the error."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **QUIET},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"`{' '.join(map(str, command))}` failed:\n{done.stdout}")


def ensure(place: Place, install: Callable[[Place], None]) -> str:
    """Have `place` as pinned; say what was done."""
    if place.ready():
        return f".real/{place.name} is as pinned"
    absent = node_is_absent() if place is NPM else ""
    if absent:
        return f"SKIPPED .real/{place.name}: {absent}; its tests will be skipped"
    started = time.monotonic()
    if place.directory.exists():
        shutil.rmtree(place.directory)
    place.directory.mkdir(parents=True)
    install(place)
    place.stamp.write_text(place.wanted(), encoding="utf-8")
    return f".real/{place.name} installed in {time.monotonic() - started:.0f} s"


def main() -> int:
    todo = {NPM: install_npm, NEWER: install_pypi, OLDER: install_pypi}
    with ThreadPoolExecutor(len(todo)) as pool:
        running = [pool.submit(ensure, place, install) for place, install in todo.items()]
    failed = 0
    for future in running:
        error = future.exception()
        failed += error is not None
        print(f"real servers: {error or future.result()}", flush=True)
    if "--frameworks" in sys.argv[1:]:
        for place in FRAMEWORKS:
            print(f"frameworks: {framework(place)}", flush=True)
    return 1 if failed else 0


def framework(place: Place) -> str:
    """Have the framework, if it can be had; say what was done, or why not."""
    try:
        return ensure(place, install_pypi)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        return f"SKIPPED .real/{place.name}, and its tests will be:\n{error}"


if __name__ == "__main__":
    sys.exit(main())
