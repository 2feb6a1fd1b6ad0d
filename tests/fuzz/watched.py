"""The same with atheris, which watches what an input reaches: for long runs."""

import sys
from pathlib import Path


def search(name: str, seconds: int, corpus: Path) -> None:
    """Try inputs for so long, then end the process; what was reached is kept in `corpus`."""
    import atheris

    with atheris.instrument_imports(include=["mcplock"]):
        from tests.fuzz.judge import judge
        from tests.fuzz.targets import TARGETS
    target = TARGETS[name]
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds):
        (corpus / f"seed-{number}").write_bytes(seed)
    words = [f"-max_total_time={seconds}", "-max_len=65536", f"-artifact_prefix=fuzz-{name}-"]
    atheris.Setup([sys.argv[0], *words, str(corpus)], lambda data: judge(target, data))
    atheris.Fuzz()
