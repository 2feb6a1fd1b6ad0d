"""Changes and issues as the JSON documents of `check`, `update` and `diff`."""

import json
from collections.abc import Sequence

from mcplock.audit.findings import Finding
from mcplock.changes import POLICY, Change, FieldChange, Missing
from mcplock.jsontext import Json
from mcplock.lazy import pattern
from mcplock.model import Issue, Kind
from mcplock.text import printable

VERSION = 1


def document(
    conclusion: str,
    servers: Sequence[Json],
    changes: Sequence[Json],
    issues: Sequence[Issue],
    **more: Json,
) -> str:
    """The whole document as text.

    servers: rows of `server`, `status`, `tools`; changes: `change_rows`; more: what only
    some commands tell.
    """
    head = {"version": VERSION, "conclusion": conclusion, "servers": list(servers)}
    return dump(head | {"changes": list(changes), "issues": issue_rows(issues)} | more)


def dump(value: Json) -> str:
    r"""`value` as JSON text with a line break at its end, hidden characters as `\uXXXX`.

    So is the bracket of what a CI system would obey in a job's log, such as `##[error]`.
    """
    return printed(json.dumps(value, indent=2, ensure_ascii=False))


def printed(text: str) -> str:
    """The JSON `text` as `dump` prints it."""
    text = _LOG_COMMAND.sub(r"\1\\u005b", text)
    return "\n".join(map(printable, text.split("\n"))) + "\n"


_LOG_COMMAND = pattern(r"(##\w*)\[")


def change_rows(changes: Sequence[Change]) -> list[Json]:
    """One object a change. `old` and `new` are hashes, null where there is no such side.

    entry: of a policy, what it is of: the kind of an entry, `server` or `manifest`. raw: what
    has no canonical form, as its server sent it.
    """
    return [
        {
            "server": change.server,
            "what": change.what.value if isinstance(change.what, Kind) else change.what,
            "name": change.name,
            "kind": change.kind.value,
            "state": change.state.value if change.state else None,
            "old": change.old.hash if change.old else None,
            "new": change.new.hash if change.new else None,
            "impact": change.impact.value,
            "text": change.text,
            "fields": [_field(field) for field in change.fields],
            "findings": [finding_row(finding) for finding in change.findings],
            **(_of(change) if change.what == POLICY else {}),
            **({"raw": list(change.new.raw)} if change.new and change.new.raw else {}),
        }
        for change in changes
    ]


def _of(change: Change) -> dict[str, Json]:
    return {"entry": change.entry.value if change.entry else change.of or "manifest"}


def _field(field: FieldChange) -> dict[str, Json]:
    """A side without the value lacks its key: `null` is a value."""
    row = {"pointer": field.pointer, "old": field.old, "new": field.new}
    return {key: value for key, value in row.items() if not isinstance(value, Missing)}


def finding_row(finding: Finding) -> dict[str, Json]:
    """One finding."""
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "pointer": finding.pointer,
        "message": finding.message,
    }


def issue_rows(issues: Sequence[Issue]) -> list[Json]:
    """One object an issue."""
    return [
        {
            "server": issue.server,
            "name": issue.name,
            "stage": issue.stage.value,
            "message": issue.message,
            "hint": issue.hint,
        }
        for issue in issues
    ]
