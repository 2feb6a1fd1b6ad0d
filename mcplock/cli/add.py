"""`mcplock add`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from mcplock.cli.beginning import new_manifest
from mcplock.cli.command import Command, pass_settings
from mcplock.cli.settings import Settings
from mcplock.errors import MissingFile, UsageError
from mcplock.manifest.begin import begin
from mcplock.manifest.edit import add_server
from mcplock.render.findings import finding_lines
from mcplock.render.launch import launch_lines
from mcplock.render.spans import Span, Style, line
from mcplock.text import visible
from mcplock.workflow.audit import source_findings


@click.command(
    "add",
    cls=Command,
    examples={
        "mcplock add time -- uvx mcp-server-time@2026.1.26": "a server that is started",
        "mcplock add docs --url https://docs.example.com/mcp": "one that runs already",
        "mcplock add git --env 'TOKEN=${GIT_TOKEN}' -- git-mcp": "with a variable",
    },
)
@click.argument("name", metavar="NAME")
@click.argument("words", nargs=-1, metavar="[-- COMMAND [ARG]...]")
@click.option("--url", metavar="URL", help="Of a server that is already running.")
@click.option(
    "--transport",
    type=click.Choice(["stdio", "http", "sse"]),
    help="How it is spoken to, where COMMAND or URL do not say it.",
)
@click.option(
    "--env", multiple=True, metavar="KEY=VALUE", help="A variable for it; may be given again."
)
@click.option(
    "--header", multiple=True, metavar="'NAME: VALUE'", help="Of each request; may be given again."
)
@click.option("--cwd", metavar="DIR", help="Where it runs, relative to the manifest.")
@pass_settings
def command(
    settings: Settings,
    name: str,
    words: tuple[str, ...],
    url: str | None,
    transport: str | None,
    env: tuple[str, ...],
    header: tuple[str, ...],
    cwd: str | None,
) -> int:
    """Add a server to the manifest.

    Comments, order and all other text of the file stay as they are. Starts and contacts
    nothing. A secret is written as `${VAR}`, in single quotes, so that the shell leaves it.
    """
    entry = {
        "type": transport,
        "command": words[0] if words else None,
        "args": list(words[1:]),
        "cwd": cwd,
        "env": _pairs("--env", env, "=", "KEY=VALUE"),
        "url": url,
        "headers": _pairs("--header", header, ":", "NAME: VALUE"),
    }
    if not words and url is None:
        hint = "`mcplock add NAME -- COMMAND`, or `mcplock add NAME --url URL`"
        raise UsageError("how is the server reached?", hint=hint)
    with _manifest(settings) as path:
        added = add_server(path, name, {key: value for key, value in entry.items() if value})
    console = settings.console
    console.show([line(Span(Style.ADDED, f"+ {visible(name)}"), f"  {added.place}")])
    console.detail(launch_lines(added.source))
    console.detail(finding_lines(source_findings(added), "    "))
    settings.hint(["`mcplock install` locks what it says"])
    return 0


@contextmanager
def _manifest(settings: Settings) -> Iterator[Path]:
    """The manifest to write to; where there is none, a new one that stays if all goes well."""
    try:
        path = settings.where.manifest()
    except MissingFile:
        if settings.manifest:
            raise
    else:
        yield path
        return
    path = new_manifest(settings)
    begin(path, ())
    try:
        yield path
    except BaseException:
        path.unlink()
        raise


def _pairs(option: str, given: tuple[str, ...], mark: str, form: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in given:
        name, found, value = text.partition(mark)
        if not found or not name.strip():  # what was given may be a secret
            raise UsageError(f"`{option}` takes {form}")
        if name.strip() in pairs:
            raise UsageError(f"`{option}` gives {visible(name.strip())} twice")
        pairs[name.strip()] = value.strip() if mark == ":" else value
    return pairs
