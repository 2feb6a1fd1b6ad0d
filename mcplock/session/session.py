"""One server: started or connected to, greeted, asked, closed."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Self

from mcplock.definitions import instructions_entry
from mcplock.jsontext import Json
from mcplock.manifest import Launch, Server
from mcplock.manifest.document import dotted
from mcplock.model import (
    Issue,
    Kind,
    Section,
    ServerInfo,
    Snapshot,
    Stage,
    Status,
    Transport,
)
from mcplock.session.channel import (
    NOTHING,
    Bug,
    Channel,
    Expired,
    Failure,
    Rejected,
    TimedOut,
    Unauthorized,
)
from mcplock.session.conversation import Conversation, Noise, Refused
from mcplock.session.environment import inherited_secrets
from mcplock.session.handshake import Introduction, ProbeKilled, introduce, modern_too
from mcplock.session.listing import Lister, Lists, wanted
from mcplock.session.model import Denied, Failed, Lost, Setting, Target
from mcplock.session.process import ServerProcess, start_process
from mcplock.session.protocol import HANDSHAKE, Face
from mcplock.session.stdio import StdioChannel
from mcplock.session.wire import Answer
from mcplock.session.words import learn, scrub_text, shown, told

if TYPE_CHECKING:
    from mcplock.session.access import Access

Report = Callable[[str], None]


class Session:
    """A session with one server. Begin with `start`, then `greet`; end with `close`.

    deadline: until when, on `time.monotonic()`, it must have started, greeted and listed.
    stage: what it does now, or did when it failed.
    """

    def __init__(self, target: Target, launch: Launch, setting: Setting, report: Report) -> None:
        self.server: Server = target.server
        self.deadline = time.monotonic() + target.server.timeout
        self.stage = Stage.START
        self.introduction: Introduction | None = None
        self._locked = target.protocol
        self._is_unprobed = target.protocol in HANDSHAKE  # nothing has asked it for its era
        self._launch = _with_inherited_secrets(launch, setting.environ)
        self._secrets = dict(self._launch.secrets)  # more may be learned
        self._values = dict(self._launch.values)
        self._setting = setting
        self._report = report
        self._face = Face(setting.client_name, launch.capabilities)
        self._channel: Channel | None = None
        self._conversation: Conversation | None = None
        self._aborted = False

    def start(self, process: ServerProcess | None = None) -> None:
        """Start the process, if it is one, or take the `process` that was; does not wait for it."""
        self._report("starting")
        if process is None and self._launch.type is Transport.STDIO:
            process = start_process(self._launch, self._setting)
        if process:
            self._use(StdioChannel(process, self._values))

    def greet(self) -> Introduction:
        """Shake hands; a server that dies of the question for its era is started again."""
        self.stage = Stage.CONNECT
        self._report("connecting")
        try:
            self.introduction = self._greet(probe=self._connect())
        except ProbeKilled:
            self.close()
            self.start()
            self.introduction = self._greet(probe=False)
        except Rejected as rejected:
            if not rejected.maybe_sse or self._launch.type is not Transport.HTTP:
                raise
            self.introduction = self._greet_over_sse(rejected)
        return self.introduction

    def lists(self) -> Lists:
        """All that the server lists; an expired session is begun anew, once."""
        self.stage = Stage.LIST
        assert self.introduction  # noqa: S101 - `greet` comes first
        try:
            return self._lists(self.introduction)
        except Expired:
            self._locked = self.introduction.revision
            self.introduction = self._greet(probe=True)
            return self._lists(self.introduction)

    @property
    def conversation(self) -> Conversation:
        """What is said over the connection; there is none before `greet`."""
        assert self._conversation  # noqa: S101 - `greet` comes first
        return self._conversation

    def tools(self, seconds: float) -> Lists:
        """The tools that it lists now; raises `Failed`."""
        assert self.introduction  # noqa: S101 - `greet` comes first
        self.stage = Stage.LIST
        self.conversation.deadline = time.monotonic() + seconds
        sections = wanted(self.introduction.capabilities, resources=False)
        tools = [section for section in sections if section.kind is Kind.TOOL]
        try:
            return self._lister(tools).lists()
        except Failure as failure:
            raise self.failure(failure) from None

    def headers_for(self, params: Mapping[str, Json], schema: Json) -> Mapping[str, str]:
        """What over HTTP says again which `arguments` of a call `schema` marks."""
        if schema is None or self._launch.type is not Transport.HTTP:
            return NOTHING
        from mcplock.session.mirrored import argument_headers

        return argument_headers(schema, params["arguments"])

    def request(self, method: str, params: Mapping[str, Json], seconds: float) -> Answer:
        """Ask for anything else, and wait for the result; raises `Failed`."""
        self.stage = Stage.CALL
        self.conversation.deadline = time.monotonic() + seconds
        try:
            return self.conversation.request(method, params)
        except Failure as failure:
            raise self.failure(failure) from None

    def failure(self, failure: Failure) -> Failed:
        """`failure` as those outside this package know it."""
        match failure:
            case Refused(error=error):
                return Denied(self._issue(failure.message), error)
            case Expired():
                return Lost(self.explain(failure))
            case _:
                return Failed(self.explain(failure))

    def snapshot(self) -> Snapshot:
        """Greet and list; a failure of the server's becomes that of the snapshot."""
        try:
            self.greet()
            lists = self.lists()
        except Failure as failure:
            return self.failed(failure)
        assert self.introduction  # noqa: S101 - `greet` has left it
        found = self._listed(self.introduction, lists)
        return self._other_door(found) or found

    def _other_door(self, found: Snapshot) -> Snapshot | None:
        """What the server lists in the modern era, None where that is nothing else.

        A server that is locked in an older revision is spoken to in that, but agents of the
        modern era would get what it lists there.
        """
        is_sse = self._launch.type is Transport.SSE
        if is_sse or not self._is_unprobed or found.protocol not in HANDSHAKE:
            return None
        assert self._conversation  # noqa: S101 - `greet` has left it
        try:
            introduction = modern_too(self._conversation)
            if introduction is None:
                return None
            modern = self._listed(introduction, self._lists(introduction))
        except Failure:
            return None  # then agents get nothing there either
        finally:  # so that the session ends as it began
            self._conversation.agree(found.protocol, modern=False)
        if _same(found, modern):
            return None
        message = f"lists something else in {modern.protocol} than in {found.protocol}"
        hint = "what it lists in the newer one counts: agents ask for that first"
        return modern._replace(issues=[*modern.issues, self._issue(message, hint=hint)])

    def _listed(self, introduction: Introduction, lists: Lists) -> Snapshot:
        text = introduction.instructions
        return Snapshot(
            self.server.name,
            protocol=introduction.revision,
            info=self._scrubbed(introduction.info),
            instructions=None if text is None else instructions_entry(text, self._secrets),
            definitions=lists.definitions,
            issues=[*self._remarks(), *lists.issues],
        )

    def _scrubbed(self, info: ServerInfo | None) -> ServerInfo | None:
        secrets = self._secrets
        if info is None:
            return None
        return ServerInfo(scrub_text(info.name, secrets), scrub_text(info.version, secrets))

    def failed(self, failure: Failure) -> Snapshot:
        """The snapshot of a server that failed."""
        return Snapshot(
            self.server.name,
            failure=self.explain(failure),
            status=Status.UNREACHABLE,
            issues=self._remarks(),
        )

    def explain(self, failure: Failure) -> Issue:
        """What is to be said of `failure`, with what the transport knows of its cause."""
        if self._channel:
            failure = self._channel.explain(failure)
        issue = self._issue(failure.message, hint=failure.hint or self._advice(failure))
        return issue._replace(bug=failure.error) if isinstance(failure, Bug) else issue

    @property
    def secrets(self) -> Mapping[str, str]:
        """Values that no result may hold -> what stands in their place."""
        return self._secrets

    def wake(self) -> None:
        """Let whoever waits in `conversation.attend` look up; called from another thread."""
        if self._channel:
            self._channel.wake()

    def abort(self) -> None:
        """End it from another thread."""
        self._aborted = True
        if self._channel:
            self._channel.abort()

    def kill(self) -> None:
        """End its process at once; from another thread, when even closing takes too long."""
        if self._channel:
            self._channel.kill()

    def close(self) -> None:
        """End it, and the process with all that it started; may be called twice."""
        if self._channel:
            self._channel.close()
            self._channel = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _use(self, channel: Channel) -> None:
        self._channel = channel
        if self._aborted:  # while it was made
            channel.abort()

    def _connect(self) -> bool:
        """Make the channel of a server that is reached by HTTP; whether eras can be probed."""
        match self._launch.type:
            case Transport.HTTP:
                self._use(self._http(older=False))
            case Transport.SSE:
                self._use(self._http(older=True))
                return False
            case Transport.STDIO:
                pass
        return True

    def _http(self, *, older: bool) -> Channel:
        from mcplock.session.sse import SseChannel
        from mcplock.session.streamable import StreamableChannel
        from mcplock.session.web import Web

        access = self._access()
        web = Web(self._launch, self._setting.environ, self._setting.ca_file, access)
        make = SseChannel if older else StreamableChannel
        return make(
            web,
            server=self.server.name,
            written=self.server.source.headers,
            secrets=self._values,
        )

    def _access(self) -> "Access | None":
        """What gives requests a token, None where none is to be sent."""
        from mcplock.session.access import access_to

        return access_to(self.server, self._launch, self._setting.logins, self._learn)

    def _learn(self, found: Mapping[str, str]) -> None:
        """Keep secrets, value -> name, out of all that is told from now on."""
        learn(self._secrets, found)
        learn(self._values, found)

    def _greet(self, *, probe: bool) -> Introduction:
        assert self._channel  # noqa: S101 - `start` comes first
        self._conversation = Conversation(
            self._channel, self._face, self._values, deadline=self.deadline
        )
        return introduce(self._conversation, self._locked, probe=probe)

    def _greet_over_sse(self, rejected: Rejected) -> Introduction:
        """Try the older transport; if that fails too, the first failure is the one that counts."""
        self.close()
        self._use(self._http(older=True))
        try:
            return self._greet(probe=False)
        except Failure as failure:
            rejected.message += f"\nas the older SSE transport: {failure.message}"
            if isinstance(failure, Unauthorized):  # so there is something at this path
                rejected.hint = failure.hint
            raise rejected from None

    def _lists(self, introduction: Introduction) -> Lists:
        sections = wanted(introduction.capabilities, resources=self.server.resources)
        return self._lister(sections).lists()

    def _lister(self, sections: Sequence[Section]) -> Lister:
        secrets = self._secrets
        return Lister(self.server.name, self.conversation, sections, secrets, self._report)

    def _remarks(self) -> list[Issue]:
        """What was odd but did no harm."""
        warnings = self.introduction.warnings if self.introduction else ()
        found = [self._issue(text, stage=Stage.CONNECT) for text in warnings]
        if self._conversation and self._conversation.noise.count:
            found.append(self._noise(self._conversation.noise))
        return found

    def _noise(self, noise: Noise) -> Issue:
        first = "".join(f"\n  | {shown(text, self._values)}" for text in noise.first)
        be = "is" if noise.count == 1 else "are"
        told = f"no protocol message for this client:{first}"
        if self._launch.type is Transport.STDIO:
            lines = "1 line" if noise.count == 1 else f"{noise.count:,} lines"
            hint = "a server may log to stderr, not to stdout"
            return self._issue(f"{lines} of its output {be} {told}", hint=hint)
        texts = "1 text" if noise.count == 1 else f"{noise.count:,} texts"
        hint = "an answer bears the id of its request, and goes to the client that asked"
        return self._issue(f"{texts} that it sent {be} {told}", hint=hint)

    def _issue(self, message: str, *, stage: Stage | None = None, hint: str = "") -> Issue:
        return Issue(
            self.server.name,
            stage or self.stage,
            told(message, self._values),
            hint=told(hint, self._values),
        )

    def _advice(self, failure: Failure) -> str:
        if not isinstance(failure, TimedOut):
            return ""
        seconds = self.server.timeout
        is_started = self._launch.type is Transport.STDIO
        slow = "the first start of an npx or uvx package can be slow: " if is_started else ""
        entry = dotted(("servers", self.server.name))
        more = f"`timeout = {max(300, round(seconds * 2))}` under [{entry}]"
        return f"it had {seconds:g} seconds; {slow}{more} gives it more"


def _same(one: Snapshot, other: Snapshot) -> bool:
    """Whether two snapshots hold the same; a kind that is empty is as one that is not there."""
    filled = [
        {kind: entries for kind, entries in found.definitions.items() if entries}
        for found in (one, other)
    ]
    return filled[0] == filled[1] and one.instructions == other.instructions


def _with_inherited_secrets(launch: Launch, environ: Mapping[str, str]) -> Launch:
    """`launch`, its secrets joined by those that the server's environment brings besides."""
    if launch.type is not Transport.STDIO:
        return launch
    found = inherited_secrets(environ, launch.env) | dict(launch.secrets)
    ordered = sorted(found, key=lambda value: (-len(value), value))
    secrets = {value: found[value] for value in ordered}
    return launch._replace(secrets=secrets, values={**launch.values, **secrets})
