"""The places where two JSON values differ, as `deepdiff` finds them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mcplock.changes.model import FieldChange, Missing
from mcplock.changes.walk import label, walk
from mcplock.jsontext import Json
from mcplock.pointers import step

if TYPE_CHECKING:
    from deepdiff import DeepDiff
    from deepdiff.model import DiffLevel

_GONE: Final = ("dictionary_item_removed", "iterable_item_removed")
_CAME: Final = ("dictionary_item_added", "iterable_item_added")
_LIST: Final = "list"
_TOLD: Final = (*_GONE, *_CAME, "values_changed", "type_changes", _LIST)
"""The groups of the tree that tell of a difference; that an item moved is none in itself."""


def deep_changes(old: Json, new: Json) -> list[FieldChange]:
    """What `field_changes` promises, where `deepdiff` sees it: the answer is to be tried."""
    from deepdiff import DeepDiff

    tree = DeepDiff(
        old,
        new,
        view="tree",
        ignore_order=False,
        ignore_private_variables=False,  # it skips keys that begin with two underscores
        threshold_to_diff_deeper=0,  # it replaces objects that share few keys as a whole
        iterable_compare_func=_same_name,
        report_repetition=True,  # or one that went and one that came to its index are made one
        custom_operators=[_UnnamedItems()],
    )
    levels = [level for group in _TOLD for level in tree.get(group, ())]
    return [field for level in sorted(levels, key=_place) for field in _fields(level)]


def _same_name(old: Json, new: Json, _level: object = None) -> bool:
    return label(old) == label(new)


class _UnnamedItems:
    """Leaves lists to our walk, except of objects that each have a name of their own.

    `deepdiff` would pair words, numbers and schemas by their position: of one word put in
    front it says that each word became another.
    """

    def match(self, level: "DiffLevel") -> bool:
        """Whether this is the level of two such lists."""
        sides = (level.t1, level.t2)
        return all(isinstance(side, list) for side in sides) and not all(map(_named, sides))

    def give_up_diffing(self, level: "DiffLevel", diff_instance: "DeepDiff") -> bool:
        """Put the level into the tree, to be read there, and go no deeper."""
        diff_instance.custom_report_result(_LIST, level)  # type: ignore[no-untyped-call]
        return True

    def normalize_value_for_hashing(self, _parent: object, value: Json) -> Json:
        """The value: nothing that could be left out of a comparison."""
        return value


def _named(items: list[Json]) -> bool:
    names = {label(item) for item in items}
    return len(names) == len(items) and all(kind is dict and name for kind, name in names)


def _place(level: "DiffLevel") -> list[float]:
    """Sorts the places as one reads: keys as they come, what is gone where it was."""
    place: list[float] = []
    for above, key in zip(_above(level), _path(level), strict=True):
        if isinstance(key, str):
            place.append(list(above.t1 | above.t2).index(key))
        elif above is level.up and _is_gone(level):
            place += _kept_before(above.t1[:key], above.t2) - 0.5, key
        else:
            place.append(key)
    return place


def _above(level: "DiffLevel") -> list["DiffLevel"]:
    """The levels that a level stands in, from the root on."""
    return [*_above(level.up), level.up] if level.up else []


def _kept_before(items: list[Json], new: list[Json]) -> int:
    """The index in `new` behind the last of `items` that is still there."""
    index = {label(item): at for at, item in enumerate(new)}
    return max((index[label(item)] + 1 for item in items if label(item) in index), default=0)


def _fields(level: "DiffLevel") -> Iterator[FieldChange]:
    """The changes at one level of the tree."""
    new_at = _pointer(_path(level))
    if level.report_type == _LIST:
        old_at = _pointer(_path(level, in_old=True))
        yield from walk(level.t1, level.t2, old_at, new_at)
    elif _is_gone(level):
        old_at = _pointer(_path(level, in_old=True))
        yield FieldChange(old_at, level.t1, Missing.ABSENT, item=_is_item(level))
    elif level.report_type in _CAME:
        yield FieldChange(new_at, Missing.ABSENT, level.t2, item=_is_item(level))
    else:
        yield FieldChange(new_at, level.t1, level.t2)


def _is_gone(level: "DiffLevel") -> bool:
    return level.report_type in _GONE


def _is_item(level: "DiffLevel") -> bool:
    return str(level.report_type).startswith("iterable")


def _path(level: "DiffLevel", *, in_old: bool = False) -> list[str | int]:
    """The keys to a level in the new value, or in the old one.

    Below a list whose items got other indices, `deepdiff` takes the sides the other way
    round: there `use_t2` means the old one, and everywhere else the two paths are one.
    """
    path: list[str | int] = level.path(output_format="list", use_t2=in_old)
    return path


def _pointer(path: list[str | int]) -> str:
    return "".join(map(step, path))
