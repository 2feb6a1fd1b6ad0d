"""Options that several commands take."""

import click

yes_option = click.option("--yes", "-y", is_flag=True, help="Answer the question with yes.")
trust_option = click.option(
    "--trust-sources", is_flag=True, help="Start the servers of this lock, this time, unasked."
)
format_option = click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="What stdout gets.",
)
gate_format_option = click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json", "github", "sarif", "junit", "markdown"]),
    default="text",
    show_default=True,
    help="What stdout gets.",
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Write one JSON document to stdout."
)
tokens_option = click.option(
    "--tokens", "with_tokens", is_flag=True, help="What the tools cost of a model's context."
)
