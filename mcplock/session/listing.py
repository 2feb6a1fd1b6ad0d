"""All pages of a server's lists, in one consistent state."""

from collections.abc import Callable, Mapping, Sequence

from mcplock.definitions import MOST_VALUES, Listing, Secrets, TooMany, listing
from mcplock.model import SECTIONS, Entries, Issue, Kind, Section, Stage
from mcplock.records import NamedTuple
from mcplock.session.channel import Failure
from mcplock.session.conversation import Conversation, Refused
from mcplock.session.protocol import METHOD_NOT_FOUND
from mcplock.session.wire import Answer

_MOST_PAGES = 1_000
_MOST_RELISTS = 3
_MOST_CHARACTERS = 256 << 20  # of one list, all its pages together

Report = Callable[[str], None]
"""What is being done now, in words."""


class Lists(NamedTuple):
    """What a server listed: definitions by kind and name, and what was skipped or repaired."""

    definitions: Mapping[Kind, Entries]
    issues: Sequence[Issue]


class Lister(NamedTuple):
    """Reads the lists of one server.

    sections: what the server declares and the manifest wants.
    """

    server: str
    conversation: Conversation
    sections: Sequence[Section]
    secrets: Secrets
    report: Report

    def lists(self) -> Lists:
        """Every list, read again for as long as the server says that one has changed."""
        self.conversation.list_changed = False
        found = self._once()
        for _ in range(_MOST_RELISTS):
            if not self.conversation.list_changed:
                return found
            self.conversation.list_changed = False
            before, found = found, self._once()
            if before.definitions == found.definitions:
                return found
        if self.conversation.list_changed:
            raise Failure(
                f"its lists changed {_MOST_RELISTS + 1} times while they were read",
                hint="try again once the server has settled",
            )
        return found

    def _once(self) -> Lists:
        definitions: dict[Kind, Entries] = {}
        issues: list[Issue] = []
        for section in self.sections:
            pages = _Pages(self, section)
            read = self._read(section, pages.read())
            definitions[section.kind] = read.entries
            issues += [*pages.issues, *read.issues]
        return Lists(definitions, issues)

    def _read(self, section: Section, pages: Sequence[str]) -> Listing:
        try:
            return listing(self.server, section, pages, self.secrets)
        except TooMany:
            message = f"`{section.method}` lists more than {MOST_VALUES:,} values"
            raise Failure(f"{message}, more than a lock can hold") from None


def wanted(declared: frozenset[str], *, resources: bool) -> list[Section]:
    """The sections to list: of the declared capabilities, resources only on request."""
    return [
        section
        for section in SECTIONS
        if section.capability in declared and (resources or section.kind is not Kind.RESOURCE)
    ]


class _Pages:
    """The pages of one list, as texts, and the guards against a list without end."""

    def __init__(self, lister: Lister, section: Section) -> None:
        self.lister = lister
        self.section = section
        self.issues: list[Issue] = []
        self._number = 0
        self._size = 0
        self._texts: list[str] = []
        self._seen: set[str] = set()

    def read(self) -> list[str]:
        """The text of each answer, in order; raises `Failure` where the list breaks off."""
        cursor: str | None = None
        cursors: set[str] = set()
        while True:
            answer = self._ask(cursor)
            if answer is None:
                return self._texts
            self._size += len(answer.text)
            if self._size > _MOST_CHARACTERS:
                raise self._broken(f"lists more than {_MOST_CHARACTERS >> 20} MiB with it")
            following = self._cursor(answer)
            if (following is not None or cursors) and not self._adds(answer):
                if cursor == "" or following is None:
                    return self._texts
                raise self._broken("adds nothing and names a next page")
            self._texts.append(answer.text)
            if following is None or (following == "" and "" in cursors):
                return self._texts
            if following in cursors:
                raise self._broken("names a next page that was read before")
            if self._number == _MOST_PAGES:
                raise self._broken("names yet another one: that is more than can be read")
            cursors.add(following)
            cursor = following

    def _ask(self, cursor: str | None) -> Answer | None:
        """The next page, None where there is none after all."""
        method = self.section.method
        self._number += 1
        self.lister.report(f"{method}, page {self._number}" if self._number > 1 else method)
        params = {} if cursor is None else {"cursor": cursor}
        try:
            answer = self.lister.conversation.request(method, params)
        except Refused as refused:
            if cursor == "":  # many servers mean the end by it, and take it from nobody
                return None
            if cursor is None and refused.error.code == METHOD_NOT_FOUND:
                self._not_there()
                return None
            if cursor is None:
                raise
            raise self._broken(f"breaks off: {refused.words}") from None
        return answer if self._has_list(answer) else None

    def _not_there(self) -> None:
        if self.section.kind is not Kind.TEMPLATE:  # resources without templates are common
            self._warn(f"declares `{self.section.capability}` but has no `{self.section.method}`")

    def _has_list(self, answer: Answer) -> bool:
        assert answer.result is not None  # noqa: S101 - `request` gives answers with a result
        key = self.section.key
        if isinstance(answer.result.get(key), list):
            return True
        if key in answer.result and answer.result[key] is None:
            self._warn(f"`{self.section.method}` gives null for `{key}`; it is read as empty")
            return False
        raise self._broken(f"has no list under `{key}`")

    def _cursor(self, answer: Answer) -> str | None:
        assert answer.result is not None  # noqa: S101 - `request` gives answers with a result
        cursor = answer.result.get("nextCursor")
        if not isinstance(cursor, str | None):
            raise self._broken("has a `nextCursor` that is no text")
        return cursor

    def _adds(self, answer: Answer) -> bool:
        """Whether a page holds a definition that none before it held."""
        items = set(answer.items(self.section.key))
        adds = not items <= self._seen
        self._seen |= items
        return adds

    def _warn(self, message: str) -> None:
        self.issues.append(Issue(self.lister.server, Stage.LIST, message))

    def _broken(self, what: str) -> Failure:
        return Failure(f"page {self._number} of `{self.section.method}` {what}")
