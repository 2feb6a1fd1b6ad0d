"""Read a manifest completely: the file, what it includes, every fault at once."""

from collections.abc import Callable, Mapping
from pathlib import Path

from mcplock.errors import Fault, FaultyFile, McplockError
from mcplock.files import project_root, shown
from mcplock.manifest import own
from mcplock.manifest.document import Document, dotted
from mcplock.manifest.encoding import MAX_CHARACTERS, decode, read_file
from mcplock.manifest.find import CLIENTS, OWN_NAMES, PYPROJECT, TABLE, others_in
from mcplock.manifest.model import Manifest, Server
from mcplock.manifest.own import Settings
from mcplock.manifest.reach import located, users_home
from mcplock.manifest.requires import check_version
from mcplock.text import visible

MOST_LEVELS = 20
"""Files that include one another, one below the other."""

Read = Callable[[Path], bytes]
"""The content of a file; raises McplockError where there is none."""


def load(path: Path, *, read: Read = read_file) -> Manifest:
    """The manifest at `path` and what it includes, read completely.

    `read` gives the content of each file: from disk, or as it is in a git revision. Raises
    FaultyFile with every fault of every file, McplockError where `path` cannot be read.
    """
    path = path.absolute()
    loading = _Loading(path, read)
    settings = loading.file(path, ())
    loading.check_names()
    loading.warn_of_unread(path)
    if faults := loading.faults():
        raise FaultyFile(faults, hint=loading.hint)
    return Manifest(
        path,
        loading.servers,
        settings.confirm,
        settings.client_name,
        warnings=tuple(loading.warnings),
        left_out=tuple(loading.left_out),
        again=tuple(loading.again),
        files=frozenset(loading.files),
    )


class _Loading:
    """The files of one manifest, as far as they are read."""

    def __init__(self, path: Path, read: Read) -> None:
        self.servers: dict[str, Server] = {}
        self.warnings: list[Fault] = []
        self.left_out: list[str] = []
        self.again: list[Server] = []
        self.files: set[Path] = set()
        self.hint = ""
        self._read = read
        self._root = project_root(path.parent.resolve())
        self._home = users_home(path)
        self._faults: dict[str, list[Fault]] = {}  # by file, in the order they were begun

    def file(self, path: Path, above: tuple[Path, ...]) -> Settings:
        """Read one file and what it includes; `above`: the files that led here."""
        self.files.add(path.resolve())
        faults = self._faults.setdefault(visible(shown(path)), [])
        try:
            document = document_of(path, self._read(path))
        except FaultyFile as error:
            faults += error.faults
            self.hint = error.hint
            return Settings()
        settings = Settings()
        if document.value is None and document.faults:
            pass  # it could not be read at all
        elif path.name == PYPROJECT and not document.enter(TABLE):
            document.fault_at(0, "has no table `[tool.mcplock]`")
            self.hint = "`mcplock add NAME -- COMMAND` begins it"
        elif _is_ours(path, document):
            settings = self._own(path, document, above)
        else:
            from mcplock.manifest import clients

            self._add(clients.servers(document, path, of_project=self._home is None))
        faults += document.faults
        self.left_out += document.left_out
        self.warnings += sorted(document.warnings, key=lambda fault: fault.line)
        return settings

    def _own(self, path: Path, document: Document, above: tuple[Path, ...]) -> Settings:
        check_version(document)
        settings = own.settings(document)
        if above:
            own.warn_of_settings(document)
        self._add(own.servers(document))
        for index, written in enumerate(settings.include):
            file = located(written, path.parent, self._home)
            self._include(document, index, file, (*above, path))
        return settings

    def _include(self, document: Document, index: int, path: Path, above: tuple[Path, ...]) -> None:
        place = ("include", index)
        real = path.resolve()
        if not self._is_within(real, above):
            document.fault(place, self._leads_out(document.value["include"][index], above))
        elif len(above) > MOST_LEVELS:
            document.fault(place, f"is included more than {MOST_LEVELS} levels deep")
        elif real in {file.resolve() for file in above}:
            document.fault(place, "includes itself" if len(above) == 1 else "includes in a circle")
        elif real in self.files:
            document.fault(place, "is included already")
        else:
            try:
                self.file(path, above)
            except McplockError as error:
                document.fault(place, visible(error.message))

    def _is_within(self, real: Path, above: tuple[Path, ...]) -> bool:
        """Whether the last of `above` may include `real`.

        What a user's manifest includes may be a project's, which stays in its project.
        """
        if self._home is None:
            return real.is_relative_to(self._root)
        root = project_root(above[-1].parent.resolve())
        return real.is_relative_to(root) or (len(above) == 1 and real.is_relative_to(self._home))

    def _leads_out(self, written: str, above: tuple[Path, ...]) -> str:
        if self._home is not None and len(above) == 1:
            return "leads out of your home directory"
        advice = "; write it relative to this file" * Path(written).is_absolute()
        return f"leads out of the project{advice}"

    def _add(self, servers: Mapping[str, Server]) -> None:
        for name, server in servers.items():
            first = self.servers.setdefault(name, server)
            if first is server:
                continue
            if first.is_as(server):
                self.again.append(server)
            else:
                self._fault(server, f"is there already, at {first.place}, and differs")

    def warn_of_unread(self, path: Path) -> None:
        """Say of what is a manifest too, beside one of ours, that its servers are not locked."""
        if path.name not in OWN_NAMES:
            return
        for beside in others_in(path.parent, path):
            if beside.resolve() not in self.files:
                message = _UNREAD.get(beside.name, "is not read beside {}").format(path.name)
                self.warnings.append(Fault(visible(shown(beside)), 0, "", message))

    def check_names(self) -> None:
        """`@x` names the source of the server `x`: no server can be called so beside it."""
        for name, server in self.servers.items():
            if name.startswith("@") and (other := self.servers.get(name[1:])):
                told = f"cannot be told from the source of `{visible(name[1:])}`, at {other.place}"
                self._fault(server, told)

    def faults(self) -> list[Fault]:
        """Every fault, file by file, in the order of their lines."""
        return [
            fault
            for faults in self._faults.values()
            for fault in sorted(faults, key=lambda fault: fault.line)
        ]

    def _fault(self, server: Server, message: str) -> None:
        key = dotted(("servers", server.name))
        fault = Fault(server.place.file, server.place.line, key, message)
        self._faults[fault.file].append(fault)


def document_of(path: Path, content: bytes) -> Document:
    """The document of a file with this content, by the format that its name tells."""
    file = visible(shown(path))
    text = decode(content, file)
    _refuse_conflict(text, file)
    match path.suffix:
        case ".toml":
            from mcplock.manifest import toml

            if len(text) > MAX_CHARACTERS:  # the time that a dotted key takes grows with its square
                message = f"has {len(text):,} characters; {MAX_CHARACTERS:,} are the most"
                raise FaultyFile([Fault(file, 0, "", message)])
            return toml.read(text, file)
        case ".yaml" | ".yml":
            from mcplock.manifest import yaml

            return yaml.read(text, file)
        case _:
            from mcplock.manifest import jsonc

            return jsonc.read(text, file)


def _refuse_conflict(text: str, file: str) -> None:
    ours, middle, theirs = "<<<<<<< ", "\n=======\n", "\n>>>>>>> "
    if middle in text and theirs in text and (text.startswith(ours) or f"\n{ours}" in text):
        line = text[: text.find(middle)].count("\n") + 2
        fault = Fault(file, line, "", "conflict markers of git; this line stands between two sides")
        raise FaultyFile([fault], hint=f"merge the two sides of {file} by hand")


def _is_ours(path: Path, document: Document) -> bool:
    """Whether the file is in our own format: by its name, else where it has no other's root."""
    if path.name in OWN_NAMES:
        return True
    roots = {".toml": ("mcp_servers",), ".yaml": _YAML_ROOTS, ".yml": _YAML_ROOTS}
    return path.suffix in roots and not any(root in document.value for root in roots[path.suffix])


_UNREAD = {
    CLIENTS: "is not read: {} is; `include` takes its servers too",
    PYPROJECT: "has `[tool.mcplock]`, which is not read beside {}",
}
_YAML_ROOTS = ("mcpServers", "extensions")
