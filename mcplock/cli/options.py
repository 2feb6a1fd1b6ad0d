"""Options that several commands take."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

_Command = TypeVar("_Command", bound=Callable[..., Any])

yes_option = click.option("--yes", "-y", is_flag=True, help="Answer the question with yes.")
trust_option = click.option(
    "--trust-sources", is_flag=True, help="Start the servers of this lock, this time, unasked."
)


def _formats(*names: str) -> Callable[[_Command], _Command]:
    return click.option(
        "--format",
        "output",
        type=click.Choice(["text", "json", *names]),
        default="text",
        show_default=True,
        help="What stdout gets.",
    )


format_option = _formats()
markdown_option = _formats("markdown")
gate_format_option = _formats("github", "sarif", "junit", "markdown")
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Write one JSON document to stdout."
)
tokens_option = click.option(
    "--tokens", "with_tokens", is_flag=True, help="What the tools cost of a model's context."
)
tokenizer_option = click.option(
    "--tokenizer",
    "encoding",
    default="",
    metavar="NAME",
    help="Count that with an encoding of tiktoken instead of estimating it.",
)
