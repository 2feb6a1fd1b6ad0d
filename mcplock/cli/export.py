"""`mcplock export`."""

from collections.abc import Sequence
from pathlib import Path

import click

from mcplock.cli.command import Command, pass_settings
from mcplock.cli.options import tokenizer_option
from mcplock.cli.settings import Settings
from mcplock.errors import Exit, UsageError
from mcplock.exporters import FORMATS, Options
from mcplock.files import shown, write_atomic
from mcplock.manifest.find import NAMES
from mcplock.render.costs import cost_lines
from mcplock.render.export import (
    export_document,
    export_lines,
    export_verdict,
    map_document,
)
from mcplock.text import visible
from mcplock.workflow.export import TooMuch, Wishes, export

_FILE = click.Path(path_type=Path, dir_okay=False, readable=False)


@click.command(
    "export",
    cls=Command,
    examples={
        "mcplock export --format mcp": "as a server would answer tools/list",
        "mcplock export --format mcp -o tools.json": "into a file",
        "mcplock export --format mcp --only docs": "one server",
        "mcplock export --format mcp --map map.json": "and which name is which tool",
        "mcplock export --format anthropic --defer": "the provider searches for tools",
        "mcplock export --format gemini --strict": "fail if a schema had to be changed",
    },
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(list(FORMATS)),
    required=True,
    help="Whose shape the tools get.",
)
@click.option("-o", "--output", type=_FILE, metavar="FILE", help="Instead of stdout.")
@click.option(
    "--map",
    "map_",
    type=_FILE,
    metavar="FILE",
    help="Write which tool each name is, what was lost and what was left out.",
)
@click.option("--raw-names", is_flag=True, help="Keep the names that the servers gave.")
@click.option("--only", multiple=True, metavar="NAME", help="Only these tools; may be given again.")
@click.option(
    "--except", "but", multiple=True, metavar="NAME", help="Not these; may be given again."
)
@click.option("--defer", is_flag=True, help="Let the provider load tools when it finds them.")
@click.option(
    "--keep", multiple=True, metavar="NAME", help="Not deferred all the same; may be given again."
)
@click.option(
    "--tool-search",
    type=click.Choice(["bm25", "regex", "none"]),
    help="Which search of the provider finds what is deferred.",
)
@click.option("--namespaces", is_flag=True, help="The tools of a server stand together.")
@click.option("--strict", is_flag=True, help="Fail, with every loss, if a schema was changed.")
@click.option(
    "--max-tokens",
    type=click.IntRange(min=0),
    metavar="N",
    help="Fail, with what each tool costs, if all cost more (an estimate).",
)
@tokenizer_option
@pass_settings
def command(
    settings: Settings,
    format_: str,
    output: Path | None,
    map_: Path | None,
    raw_names: bool,
    only: tuple[str, ...],
    but: tuple[str, ...],
    defer: bool,
    keep: tuple[str, ...],
    tool_search: str | None,
    namespaces: bool,
    strict: bool,
    max_tokens: int | None,
    encoding: str,
) -> int:
    """Write the approved tools for agents.

    Reads the lock, and the manifest beside it; contacts nothing. A tool is exported if it is
    approved, its server's source is too, and the manifest has that server as it is locked and
    not disabled. Names become `mcp__server__tool`; what a provider would not take
    in a name is replaced, and a hash added. NAME is as for `mcplock approve`. Where a provider
    does not take a schema as it is, the smallest change is made that only widens it.
    """
    if encoding and max_tokens is None:
        raise UsageError("`--tokenizer` counts for `--max-tokens N`, which is not given")
    seen = settings.seen
    _refuse_own_files([level.path for level in seen.levels], output, map_)
    wishes = Wishes(
        format_,
        Options(defer=defer, tool_search=tool_search or "", namespaces=namespaces),
        raw_names=raw_names,
        only=only,
        but=but,
        keep=keep,
        strict=strict,
        max_tokens=max_tokens,
        encoding=encoding,
    )
    console = settings.console
    try:
        made = export(seen, wishes)
    except TooMuch as refused:
        console.talk(cost_lines(refused.costs))
        raise
    if output:
        write_atomic(output, export_document(made).encode())
    else:
        console.data(export_document(made))
    if map_:
        write_atomic(map_, map_document(made).encode())
    if settings.verbose:
        console.talk(export_lines(made))
    console.talk([export_verdict(made, visible(shown(output)) if output else "")])
    return Exit.OK


def _refuse_own_files(locks: Sequence[Path], *targets: Path | None) -> None:
    """No option may make this command overwrite what the project rests on."""
    names = ("mcp.lock", *NAMES)
    taken = {lock.with_name(name).resolve() for lock in locks for name in names}
    for target in targets:
        if target is None:
            continue
        if target.resolve() in taken:
            raise UsageError(f"{visible(shown(target))} would be overwritten; name another file")
        taken.add(target.resolve())
