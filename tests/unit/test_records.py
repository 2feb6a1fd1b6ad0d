"""Our `NamedTuple` does what that of `typing` does."""

import copy
import pickle
import typing

import pytest

from mcplock.records import NamedTuple


class Ours(NamedTuple):
    """Two fields that must be given, and two that may be."""

    count: int
    name: str
    note: str = ""
    more: tuple[int, ...] = ()

    @property
    def label(self) -> str:
        """Made of two."""
        return f"{self.name}:{self.count}"


class Theirs(typing.NamedTuple):
    """The same."""

    count: int
    name: str
    note: str = ""
    more: tuple[int, ...] = ()

    @property
    def label(self) -> str:
        """Made of two."""
        return f"{self.name}:{self.count}"


GIVEN = [
    ((1, "a"), {}),
    ((1,), {"name": "a"}),
    ((), {"name": "a", "count": 1, "more": (2,)}),
    ((1, "a", "b", (3,)), {}),
]


@pytest.mark.parametrize(("values", "named"), GIVEN)
def test_it_is_made_and_read_alike(values: tuple, named: dict) -> None:
    ours, theirs = Ours(*values, **named), Theirs(*values, **named)
    assert tuple(ours) == tuple(theirs)
    assert ours == theirs
    assert hash(ours) == hash(theirs)
    assert (ours.count, ours.name, ours.note, ours.more) == tuple(theirs)
    assert ours.label == theirs.label
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert ours._asdict() == theirs._asdict()
    assert ours._replace(note="n") == theirs._replace(note="n")
    match ours:
        case Ours(count, name):
            assert (count, name) == theirs[:2]


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ((), {}),
        ((1,), {}),
        ((1, "a", "", (), 5), {}),
        ((1, "a"), {"name": "b"}),
        ((1, "a"), {"other": "b"}),
        ((1,), {"other": "b"}),
    ],
)
def test_what_does_not_fit_is_refused_alike(values: tuple, named: dict) -> None:
    for kind in (Ours, Theirs):
        with pytest.raises(TypeError):
            kind(*values, **named)


def test_it_is_frozen_and_has_no_room_for_more() -> None:
    ours = Ours(1, "a")
    with pytest.raises(AttributeError):
        ours.count = 2  # type: ignore[misc]
    with pytest.raises(AttributeError):
        ours.other = 2  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        ours._replace(other=2)
    assert Ours._fields == Theirs._fields
    assert Ours._field_defaults == Theirs._field_defaults


def test_it_can_be_copied_and_pickled() -> None:
    ours = Ours(1, "a", more=(2,))
    for again in (copy.copy(ours), copy.deepcopy(ours), pickle.loads(pickle.dumps(ours))):
        assert again == ours
        assert type(again) is Ours
