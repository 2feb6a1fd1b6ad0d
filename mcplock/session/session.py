"""One server: started or connected to, greeted, asked, closed."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from mcplock.definitions import instructions_entry
from mcplock.jsontext import Json
from mcplock.manifest import Launch, Server
from mcplock.model import Issue, Snapshot, Stage, Status
from mcplock.session.channel import Channel, Expired, Failure, TimedOut
from mcplock.session.conversation import Conversation
from mcplock.session.environment import server_environment
from mcplock.session.handshake import Introduction, ProbeKilled, introduce
from mcplock.session.listing import Lister, Lists, wanted
from mcplock.session.model import Target
from mcplock.session.process import ServerProcess
from mcplock.session.protocol import Face
from mcplock.session.stdio import StdioChannel
from mcplock.session.wire import Answer
from mcplock.session.words import scrub_text, shown

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Setting:
    """What all servers of a run share. directory: the manifest's."""

    directory: Path
    environ: Mapping[str, str]
    client_name: str = "mcplock"
    ca_file: Path | None = None


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
        self._launch = launch
        self._setting = setting
        self._report = report
        self._face = Face(setting.client_name, launch.capabilities)
        self._channel: Channel | None = None
        self._conversation: Conversation | None = None

    def start(self) -> None:
        """Start the process or prepare the connection; does not wait for the server."""
        self._report("starting")
        environment = server_environment(self._setting.environ, self._launch.env)
        process = ServerProcess(
            self._launch, directory=self._setting.directory, environment=environment
        )
        self._channel = StdioChannel(process, self._launch.secrets)

    def greet(self) -> Introduction:
        """Shake hands; a server that dies of the question for its era is started again."""
        self.stage = Stage.CONNECT
        self._report("connecting")
        try:
            self.introduction = self._greet(probe=True)
        except ProbeKilled:
            self._restart()
            self.introduction = self._greet(probe=False)
        return self.introduction

    def lists(self) -> Lists:
        """All that the server lists; an expired session is begun anew, once."""
        self.stage = Stage.LIST
        try:
            return self._lists()
        except Expired:
            self.introduction = self._greet(probe=True)
            return self._lists()

    def request(self, method: str, params: Mapping[str, Json], seconds: float) -> Answer:
        """Ask for anything else; raises `Failure`."""
        assert self._conversation  # noqa: S101 - `greet` comes first
        return self._conversation.request(method, params, time.monotonic() + seconds)

    def snapshot(self) -> Snapshot:
        """Greet and list; a failure of the server's becomes that of the snapshot."""
        try:
            introduction = self.greet()
            lists = self.lists()
        except Failure as failure:
            return self.failed(failure)
        text = introduction.instructions
        return Snapshot(
            self.server.name,
            protocol=introduction.revision,
            info=introduction.info,
            instructions=None if text is None else instructions_entry(text, self._launch.secrets),
            definitions=lists.definitions,
            issues=[*self._remarks(), *lists.issues],
        )

    def failed(self, failure: Failure) -> Snapshot:
        """The snapshot of a server that failed."""
        if isinstance(self._channel, StdioChannel):
            failure = self._channel.explain(failure)
        return Snapshot(
            self.server.name,
            failure=self._issue(failure.message, hint=failure.hint or self._advice(failure)),
            status=Status.UNREACHABLE,
            issues=self._remarks(),
        )

    def abort(self) -> None:
        """End it from another thread."""
        if self._channel:
            self._channel.abort()

    def close(self) -> None:
        """End it, and the process with all that it started; may be called twice."""
        channel, self._channel = self._channel, None
        if channel:
            channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _greet(self, *, probe: bool) -> Introduction:
        assert self._channel  # noqa: S101 - `start` comes first
        self._conversation = Conversation(self._channel, self._face, self._launch.secrets)
        return introduce(self._conversation, self._locked, self.deadline, probe=probe)

    def _restart(self) -> None:
        self.close()
        self.start()

    def _lists(self) -> Lists:
        assert self._conversation and self.introduction  # noqa: S101 - `greet` comes first
        sections = wanted(self.introduction.capabilities, resources=self.server.resources)
        return Lister(
            self.server.name,
            self._conversation,
            sections,
            self._launch.secrets,
            self.deadline,
            self._report,
        ).lists()

    def _remarks(self) -> list[Issue]:
        """What was odd but did no harm."""
        warnings = self.introduction.warnings if self.introduction else ()
        found = [self._issue(text, stage=Stage.CONNECT) for text in warnings]
        if self._conversation and self._conversation.noise.count:
            noise = self._conversation.noise
            first = "".join(f"\n  | {shown(text, self._launch.secrets)}" for text in noise.first)
            lines = "line" if noise.count == 1 else "lines"
            message = f"writes {noise.count:,} {lines} that are no protocol messages, first:{first}"
            found.append(self._issue(message, hint="a server logs to stderr"))
        return found

    def _issue(self, message: str, *, stage: Stage | None = None, hint: str = "") -> Issue:
        secrets = self._launch.secrets
        return Issue(
            self.server.name,
            stage or self.stage,
            scrub_text(message, secrets),
            hint=scrub_text(hint, secrets),
        )

    def _advice(self, failure: Failure) -> str:
        if not isinstance(failure, TimedOut):
            return ""
        name, seconds = self.server.name, self.server.timeout
        return (
            f"it had {seconds:g} seconds; the first start of an npx or uvx package can be slow: "
            f"`timeout = {max(300, round(seconds * 2))}` under [servers.{name}] gives it more"
        )
