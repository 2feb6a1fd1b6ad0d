"""`mcplock call`."""

import sys
from collections.abc import Callable
from pathlib import Path

import click

from mcplock.cli.command import Command, pass_settings
from mcplock.cli.contacting import reading_contact
from mcplock.cli.level import USERS
from mcplock.cli.options import format_option, trust_option
from mcplock.cli.settings import Settings
from mcplock.errors import Exit, UsageError
from mcplock.files import read_bytes
from mcplock.live import Result
from mcplock.live.live import Progress
from mcplock.render.call import (
    attachment_lines,
    call_document,
    call_notes,
    result_lines,
    result_texts,
)
from mcplock.text import visible
from mcplock.workflow.attachments import MOST_FILES, Place, attachments, place, save
from mcplock.workflow.call import Manner, call, order, server_of


@click.command(
    "call",
    cls=Command,
    examples={
        "mcplock call time/get_current_time --arg timezone=UTC": "an argument a time",
        "mcplock call logs/find --arg range.from=5": "inside the object `range`",
        "mcplock call logs/find --arg 'range={\"from\": 5}'": "the same, as JSON",
        'mcplock call mcp__time__get_current_time --json \'{"timezone": "UTC"}\'': "all at once",
        "mcplock call docs/search --json @query.json": "from a file; `@-` is stdin",
        "mcplock call charts/draw --arg kind=bar --output charts/": "keep the image",
        "mcplock call docs/search --arg q=lock --format json": "the whole result",
    },
)
@click.argument("name", metavar="NAME")
@click.option(
    "--arg",
    "pairs",
    multiple=True,
    metavar="NAME=VALUE",
    help="An argument, read as its declared type; may be given again.",
)
@click.option("--json", "document", metavar="TEXT|@FILE", help="All arguments as a JSON object.")
@click.option(
    "--output",
    "target",
    type=click.Path(),
    metavar="DIR/|FILE",
    help="Where images, sounds and resources go; nothing is overwritten.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=300.0,
    show_default=True,
    metavar="SECONDS",
    help="How long the call may take.",
)
@click.option(
    "--trust-lock", is_flag=True, help="Call at once; compare with the lock only if it fails."
)
@trust_option
@format_option
@pass_settings
def command(
    settings: Settings,
    name: str,
    pairs: tuple[str, ...],
    document: str | None,
    target: str | None,
    timeout: float,
    trust_lock: bool,
    trust_sources: bool,
    output: str,
) -> int:
    """Call an approved tool once.

    NAME is `server/tool`, or the name that exports give it. The arguments are held against
    the locked schema; if they do not fit, every fault is listed and nothing is sent. Then the
    server is started, and called only if it defines the tool as it was approved.

    Exit code 3: the tool ran and reported an error. 1: the lock refuses it, the tool changed,
    or its result is not what the approved output schema promises. 2: it could not be called.
    """
    if document is not None and pairs:
        raise UsageError("give the arguments with `--arg` or with `--json`, not both")
    kept_at = place(target) if target else None
    if settings.seen.is_users(server_of(settings.seen, name)):
        settings.level = USERS
    ordered = order(settings.seen, settings.machine, name, pairs, _read(document))
    settings.console.warn(map(str, ordered.project.manifest.warnings))
    told = _teller(settings, ordered.tool.server) if sys.stderr.isatty() else None
    contact = reading_contact(settings, trust_sources=trust_sources)
    result = call(ordered, contact, Manner(timeout, trust_lock, told))
    settings.console.progress.stop()
    _tell(settings, result, kept_at, output)
    return _exit_code(result)


_CI = ("CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION", "GITLAB_CI", "JENKINS_URL")
"""Variables of systems that obey what stands in a log."""


def _read(document: str | None) -> str | None:
    """The JSON text that `--json` gives, from a file if it names one."""
    if document is None or not document.startswith("@"):
        return document
    data = sys.stdin.buffer.read() if document == "@-" else read_bytes(Path(document[1:]))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{visible(document)}: is not UTF-8") from None


def _teller(settings: Settings, server: str) -> Callable[[Progress], None]:
    def told(news: Progress) -> None:
        of = "" if news.total is None else f"/{_short(news.total)}"
        doing = f"{_short(news.progress)}{of} {visible(news.message)}".strip()
        settings.console.progress(server, doing)

    return told


def _short(number: float) -> str:
    try:
        return f"{number:g}"
    except OverflowError:  # an integer beyond what a float holds
        return "∞"


def _tell(settings: Settings, result: Result, target: Place | None, output: str) -> None:
    console = settings.console
    found = attachments(result.content)
    saved = save(found[:MOST_FILES], target) if target else []
    if target and len(found) > MOST_FILES:
        console.warn([f"{len(found):,} attachments came; the first {MOST_FILES:,} are saved"])
    kept = [one.attachment.block for one in saved]
    if output == "json":
        console.data(call_document(result, saved))
    elif sys.stdout.isatty() or any(settings.environ.get(name) for name in _CI):
        console.show(result_lines(result, kept))
    else:
        console.text("".join(f"{text}\n" for text in result_texts(result, kept)))
    console.talk(attachment_lines(found, saved))
    console.talk(call_notes(result))
    if output != "json" and any(not one.is_text for one in found) and not target:
        settings.hint(["`--output DIR/` keeps what is no text"])


def _exit_code(result: Result) -> int:
    if result.is_error:
        return Exit.TOOL_ERROR
    return Exit.NO if result.violations else Exit.OK
