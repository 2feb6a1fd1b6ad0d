"""`mcplock status`, also bare `mcplock`."""

import click

from mcplock.cli.command import Command, pass_settings
from mcplock.cli.gate import tell_status
from mcplock.cli.options import json_option, tokenizer_option, tokens_option
from mcplock.cli.settings import Settings


@click.command(
    "status",
    cls=Command,
    examples={
        "mcplock": "the same",
        "mcplock status -v": "all that waits for review, with every finding",
        "mcplock status --tokens": "what each server costs in every request, estimated",
        "mcplock status --json": "for a program",
    },
)
@tokens_option
@tokenizer_option
@json_option
@pass_settings
def command(settings: Settings, with_tokens: bool, encoding: str, as_json: bool) -> int:
    """Say where each server stands and what to do next.

    Reads manifest and lock and asks no server. Exit code 0 whatever they hold: the gate is
    `mcplock check`. 2: one of them cannot be read.
    """
    with_tokens = with_tokens or bool(encoding)
    return tell_status(settings, with_tokens=with_tokens, encoding=encoding, as_json=as_json)
