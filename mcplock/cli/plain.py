"""The command lines that need no parser: `status` and `check` with flags written out.

They are run before every prompt and in every job, and importing click takes longer than all
that `status` has to do. Whatever is spelled in another way, mistakes too, is left to click.
"""

from collections.abc import Callable, Sequence
from functools import partial

from mcplock.cli.settings import Settings
from mcplock.errors import McplockError

SHARED = {
    "-q": "quiet",
    "--quiet": "quiet",
    "-v": "verbose",
    "--verbose": "verbose",
    "--no-color": "no_color",
    "--no-input": "no_input",
    "--user": "user",
    "--no-user": "no_user",
}
"""Flag of all commands -> the attribute of `Settings` that it sets."""
OWN = {
    "status": {"--json": "as_json", "--tokens": "with_tokens"},
    "check": {
        "--offline": "offline",
        "--allow-unreviewed": "allow_unreviewed",
        "--trust-sources": "trust_sources",
    },
}
"""Command -> its flags -> the parameter that each sets."""


def plainly(arguments: Sequence[str]) -> Callable[[], int] | None:
    """What runs the command line `arguments`, or None where it takes a parser."""
    shared = [SHARED[word] for word in arguments if word in SHARED]
    words = [word for word in arguments if word not in SHARED]
    name = words.pop(0) if words else "status"
    flags = OWN.get(name)
    if flags is None or not flags.keys() >= set(words):
        return None
    settings = Settings()
    for attribute in shared:
        setattr(settings, attribute, True)
    return partial(_run, name, settings, {flags[word]: True for word in words})


def _run(name: str, settings: Settings, given: dict[str, bool]) -> int:
    from mcplock.cli import gate

    command: Callable[..., int] = gate.tell_status if name == "status" else gate.judge
    try:
        return command(settings, **given)
    except McplockError as error:
        from mcplock.cli.level import mend_hint

        mend_hint(settings, error)
        raise
    finally:
        settings.console.progress.stop()
