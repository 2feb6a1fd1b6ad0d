"""An outcome as SARIF 2.1.0, for code scanning.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256

from mcplock import __version__
from mcplock.jsontext import Json
from mcplock.render.document import dump
from mcplock.render.neutral import unlinked, uri
from mcplock.render.outcome import Annotation, Outcome
from mcplock.render.rules import rule
from mcplock.workflow.report import Conclusion

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
_MOST = 5_000
"""Results of a run that GitHub keeps."""
_MOST_LINES = 60


def sarif(outcome: Outcome) -> str:
    """The document of one run."""
    shown = outcome.annotations[:_MOST]
    names = list(dict.fromkeys(annotation.rule for annotation in shown))
    run = {
        "tool": {
            "driver": {
                "name": "mcplock",
                "version": __version__,
                "rules": [_rule(name) for name in names],
            }
        },
        # GitHub replaces the results of the same category only.
        "automationDetails": {"id": f"mcplock-{outcome.command}/{uri(outcome.file)}"},
        "invocations": [_invocation(outcome, len(outcome.annotations) - len(shown))],
        "results": _results(shown, {name: at for at, name in enumerate(names)}),
    }
    schema = f"{_SCHEMA}sarif-schema-2.1.0.json"
    return dump({"$schema": schema, "version": "2.1.0", "runs": [run]})


def _rule(name: str) -> dict[str, Json]:
    known = rule(name)
    return {
        "id": name,
        "shortDescription": {"text": known.name},
        "fullDescription": {"text": known.help},
        "help": {"text": known.help, "markdown": known.help},
        "properties": {
            "tags": ["security", "mcp"],
            "security-severity": str(known.severity),
        },
    }


def _invocation(outcome: Outcome, left_out: int) -> dict[str, Json]:
    notes: list[Json] = [{"level": "note", "message": {"text": unlinked(outcome.verdict)}}]
    if left_out:
        said = f"{left_out:,} more results are left out"
        notes.append({"level": "warning", "message": {"text": said}})
    return {
        "executionSuccessful": outcome.conclusion is not Conclusion.ERROR,
        "toolExecutionNotifications": notes,
    }


def _results(annotations: Sequence[Annotation], rules: Mapping[str, int]) -> list[Json]:
    seen: Counter[str] = Counter()
    results: list[Json] = []
    for annotation in annotations:
        identity = _fingerprint(annotation)
        seen[identity] += 1
        results.append(
            {
                "ruleId": annotation.rule,
                "ruleIndex": rules[annotation.rule],
                "level": annotation.level.value,
                "message": {"text": unlinked(_message(annotation))},
                "locations": [_location(annotation)],
                "partialFingerprints": {"mcplockEntry/v1": f"{identity}:{seen[identity]}"},
            }
        )
    return results


def _message(annotation: Annotation) -> str:
    more = len(annotation.detail) - _MOST_LINES
    left_out = [f"… {more:,} more lines"] if more > 0 else []
    return "\n".join([annotation.message, *annotation.detail[:_MOST_LINES], *left_out])


def _location(annotation: Annotation) -> dict[str, Json]:
    physical = {
        "artifactLocation": {"uri": uri(annotation.place.file)},
        "region": {"startLine": max(1, annotation.place.line)},
    }
    named = {"fullyQualifiedName": annotation.label}
    return {"physicalLocation": physical, "logicalLocations": [named]}


def _fingerprint(annotation: Annotation) -> str:
    """The same wherever the entry stands, another for another text of it."""
    words = dump(list(annotation.identity)).encode()
    return sha256(words).hexdigest()[:32]
