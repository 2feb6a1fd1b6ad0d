"""What was denied, and waits for review elsewhere: a denial holds for one name only."""

from collections.abc import Iterator, Mapping

from mcplock.audit.findings import Finding, Severity
from mcplock.canonical import hash_value
from mcplock.model import SECTIONS, Entry, Kind, Lock
from mcplock.naming import label
from mcplock.text import visible

RULE = "denied-before"
_IDENTITY: Mapping[Kind, str] = {section.kind: section.identity for section in SECTIONS}

_Key = tuple[str | Kind, ...]
_RENAMED = "the same under another name was denied as {}"


class Denied:
    """What is denied in a lock, known again by its text, or by its name at the same source."""

    def __init__(self, lock: Lock) -> None:
        self._sources = {name: locked.source.hash for name, locked in lock.servers.items()}
        self._said: dict[_Key, dict[str, str]] = {}
        for server, locked in lock.servers.items():
            for kind, name, entry in locked.entries():
                if entry.denied is not None:
                    told = visible(label(server, kind, name))
                    for key, said in self._keys(server, kind, name, entry):
                        if key[0] != "gone" or entry.absent:
                            self._said.setdefault(key, {}).setdefault(server, said.format(told))

    def __bool__(self) -> bool:
        return bool(self._said)

    def before(self, server: str, kind: Kind, name: str, entry: Entry) -> list[Finding]:
        """The finding of an entry that waits, if it is like what is denied."""
        if not self._said or not entry.waits:
            return []
        for key, _ in self._keys(server, kind, name, entry):
            for other, said in self._said.get(key, {}).items():
                # two of one server that stand side by side are two, however alike
                if other != server or key[0] == "gone":
                    is_known = kind in _IDENTITY and entry.content is not None
                    pointer = f"/{_IDENTITY[kind]}" if is_known else ""
                    return [Finding(RULE, Severity.HIGH, pointer, said)]
        return []

    def _keys(self, server: str, kind: Kind, name: str, entry: Entry) -> Iterator[tuple[_Key, str]]:
        """What an entry is known by, and what is then to be said of it; the closest first.

        `gone` is for what its server lists no more, so that another name may have taken its
        place. Of a definition that describes nothing, little but the name tells it from others:
        it is known under another name only then, and where the source is the same.
        """
        source = self._sources.get(server, "")
        yield ("text", kind, entry.hash), "the very same was denied as {}"
        yield ("name", kind, name, source), "{} was denied, of a server that is reached alike"
        if kind not in _IDENTITY or not isinstance(entry.content, dict):
            return
        nameless = {k: value for k, value in entry.content.items() if k != _IDENTITY[kind]}
        body = hash_value(nameless)
        if nameless.get("description"):
            yield ("body", kind, body), _RENAMED
            yield ("gone", kind, body), _RENAMED
        else:
            yield ("gone", kind, body, source), _RENAMED
