"""`call`: one call of an approved tool, checked, compared, then made."""

from collections.abc import Callable, Mapping, Sequence

from mcplock.approved import Tool
from mcplock.arguments import coerce, input_schema, read_json
from mcplock.catalog import Catalog
from mcplock.errors import MissingFile, Refused, Untrusted, UsageError
from mcplock.files import shown
from mcplock.jsontext import Json
from mcplock.levels import advice
from mcplock.live import Result
from mcplock.live.checks import Checks
from mcplock.live.gate import Gates, gate_of
from mcplock.live.line import Setting
from mcplock.live.live import Live, Progress
from mcplock.live.sync import SyncLive
from mcplock.manifest.find import ADVICE
from mcplock.model import Lock
from mcplock.naming import nearest, typed
from mcplock.records import NamedTuple
from mcplock.session import claim
from mcplock.text import visible
from mcplock.workflow.contact import Contact, untrusted
from mcplock.workflow.levels import Seen
from mcplock.workflow.project import Machine, Project


class Order(NamedTuple):
    """A call that may be made: the tool, and arguments that its locked schema allows."""

    project: Project
    lock: Lock
    catalog: Catalog
    tool: Tool
    arguments: Mapping[str, Json]


class Manner(NamedTuple):
    """How to call.

    seconds: for the call itself; trust_lock: nothing is listed before; progress: is told how
    far the server is, None where nobody looks.
    """

    seconds: float | None = None
    trust_lock: bool = False
    progress: Callable[[Progress], None] | None = None


def server_of(seen: Seen, name: str) -> str:
    """The server of the tool `name`, also of one that agents do not get; "" where there is none."""
    catalog = Catalog(seen.approved)
    found = catalog.get(name) or catalog.left_out(name)
    return found.server if found else ""


def order(
    seen: Seen, machine: Machine, name: str, pairs: Sequence[str], document: str | None
) -> Order:
    """The call of the tool `name` with arguments written as `NAME=VALUE`, or as a document.

    Raises `Refused` where the lock does not let agents have the tool, `UsageError` where
    there is none or what is given is no arguments, and `InvalidArguments`. Nothing is started.
    """
    catalog = Catalog(seen.approved, seen.levels[0].path)
    tool = _tool(catalog, name)
    level = seen.level(tool.server)
    if level.manifest is None:
        raise MissingFile(f"no manifest beside {visible(shown(level.path))}", hint=ADVICE)
    schema = input_schema(tool.content)
    arguments = coerce(schema, pairs) if document is None else read_json(document)
    Checks(tool).accept(arguments)
    return Order(Project(level.manifest, machine), level.lock, catalog, tool, arguments)


def _tool(catalog: Catalog, name: str) -> Tool:
    tool = catalog.get(name)
    if tool:
        return tool
    if left := catalog.left_out(name):
        raise Refused(catalog.why_not(name), hint=advice(left))
    near = nearest(name, [tool.id for tool in catalog])
    message = f"no approved tool is called {visible(name)}"
    hint = "`mcplock list` shows the names"
    raise UsageError(f"{message}; {near}" if near else message, hint=hint)


def call(ordered: Order, contact: Contact, manner: Manner) -> Result:
    """Make the call: with consent, start the server, compare, ask.

    Raises what `Live.call` raises, and `Untrusted` where nobody is there to consent.
    """
    project = ordered.project
    _consent(ordered, contact)
    machine = project.machine
    if machine.alone:
        claim()
    gate = gate_of(project.manifest, ordered.lock, machine.state_dir, trust_sources=True)
    setting = Setting(machine.environ, manner.trust_lock, machine.ca_file, contact.progress)
    live = Live(
        ordered.catalog, Gates(lambda _: gate), setting, lambda *_: True
    )  # a command is a person's act
    with SyncLive(live) as open_live:
        return open_live.call(
            ordered.tool.id,
            ordered.arguments,
            timeout=manner.seconds,
            progress=manner.progress,
        )


def _consent(ordered: Order, contact: Contact) -> None:
    """Ask for consent to start the server where this machine has not given it yet."""
    name = ordered.tool.server
    server = ordered.project.manifest.servers[name]
    strange = untrusted(ordered.project, [server], ordered.lock)
    if not strange:
        return
    if not contact.consent(strange):
        message = f"{visible(name)} was not started: this machine has no consent to start it"
        raise Untrusted(message, hint=f"`mcplock trust {typed(name)}`")
    if contact.remember:
        ordered.project.trust.remember([start.hash for start in strange])
