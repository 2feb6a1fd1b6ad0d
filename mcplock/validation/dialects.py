"""Which dialect of JSON Schema a schema is written in."""

from enum import StrEnum

from mcplock.jsontext import Json
from mcplock.lazy import pattern


class Dialect(StrEnum):
    """The dialects that are known, oldest first; MCP means the newest where none is named."""

    DRAFT_4 = "draft-04"
    DRAFT_6 = "draft-06"
    DRAFT_7 = "draft-07"
    DRAFT_2019_09 = "2019-09"
    DRAFT_2020_12 = "2020-12"

    @property
    def ref_stands_alone(self) -> bool:
        """Whether the keywords beside a `$ref` are ignored."""
        return self in (Dialect.DRAFT_4, Dialect.DRAFT_6, Dialect.DRAFT_7)

    @property
    def items_may_be_list(self) -> bool:
        """Whether a list under `items` is a tuple, and `additionalItems` what follows it."""
        return self is not Dialect.DRAFT_2020_12


_URI = pattern(r"https?://json-schema\.org/(?:draft[/-])?(?P<name>[a-z0-9-]+)/schema#?")
_BY_NAME = {
    "04": Dialect.DRAFT_4,
    "06": Dialect.DRAFT_6,
    "07": Dialect.DRAFT_7,
    "2019-09": Dialect.DRAFT_2019_09,
    "2020-12": Dialect.DRAFT_2020_12,
}
_NEWEST = pattern(r"https?://json-schema\.org/schema#?")


def named_dialect(schema: Json) -> Dialect | None:
    """The dialect that `schema` names; the newest where it names none, None if unknown."""
    uri = schema.get("$schema") if isinstance(schema, dict) else None
    if uri is None:
        return Dialect.DRAFT_2020_12
    if not isinstance(uri, str):
        return None
    if _NEWEST.fullmatch(uri):
        return Dialect.DRAFT_2020_12
    hit = _URI.fullmatch(uri)
    return _BY_NAME.get(hit["name"]) if hit else None


def dialect_of(schema: Json) -> Dialect:
    """The dialect to read `schema` in: an unknown one is read as the newest."""
    return named_dialect(schema) or Dialect.DRAFT_2020_12
