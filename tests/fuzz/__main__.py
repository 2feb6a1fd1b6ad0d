"""Fuzz the readers.

    python -m tests.fuzz [--seconds N] [--seed N] [TARGET …]
    python -m tests.fuzz --watched TARGET [--seconds N]
    python -m tests.fuzz TARGET --input FILE

Each target for so many seconds, all of them without a name. With `--watched`, atheris steers by
what inputs reach, where it is installed. An input that is not taken well is written to a file,
which `--input` runs again.
"""

import argparse
import sys
import time
from pathlib import Path


def main() -> int:
    """Run what the command line asks for; 1 where something was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--watched", action="store_true")
    parser.add_argument("--input", type=Path)
    parser.add_argument("--list", action="store_true", help="only name the targets")
    given = parser.parse_args()
    if given.watched:  # before anything of mcplock is imported, so that all of it is watched
        from tests.fuzz import watched

        for name in given.targets[:1]:
            watched.search(name, int(given.seconds), Path(".fuzz", name))
    return plain(given)


def plain(given: argparse.Namespace) -> int:
    """Try inputs made by chance, or the one that is given."""
    from tests.fuzz.judge import Find, judge
    from tests.fuzz.mutate import search
    from tests.fuzz.targets import TARGETS

    for name in given.targets or TARGETS:
        if given.list:
            print(name)
            continue
        try:
            if given.input:
                judge(TARGETS[name], given.input.read_bytes())
                continue
            tried = search(TARGETS[name], given.seconds, given.seed)
        except Find as find:
            path = Path(f"fuzz-{name}-{given.seed}")
            path.write_bytes(find.data)
            print(f"{name}: {find}; the input is in {path}", file=sys.stderr)
            raise
        print(f"{name}: {tried:,} inputs, seed {given.seed}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
