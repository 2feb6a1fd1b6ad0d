"""What `show` counts and does not tell: only what says nothing."""

import pytest

from mcplock.render.noise import without_noise
from mcplock.render.spans import to_plain

DEFAULTS = {
    "readOnlyHint": False,
    "destructiveHint": True,
    "idempotentHint": False,
    "openWorldHint": True,
}


def test_defaults_and_repeated_titles_are_counted() -> None:
    annotations = {"title": "search-pages", **DEFAULTS}
    content = {"name": "search_pages", "title": "Search Pages", "annotations": annotations}

    kept, left_out = without_noise(content)

    assert kept == {"name": "search_pages"}
    assert to_plain(left_out) == (
        "    left out: 2 titles like the name, 4 annotations as by default; `-v` shows all of it\n"
    )


@pytest.mark.parametrize(
    "annotations",
    [{key: not value} for key, value in DEFAULTS.items()]
    + [{"readOnlyHint": 0}, {"destructiveHint": 1}, {"openWorldHint": None}, {"x": False}, {}, []],
    ids=str,
)
def test_every_other_annotation_is_told(annotations: object) -> None:
    content = {"name": "search", "annotations": annotations}

    assert without_noise(content) == (content, [])


@pytest.mark.parametrize(
    "title",
    ["Search!", "Search pages", "Se\u0430rch", "Se\u200barch", "search\n", "", 3, None],
)
def test_a_title_that_says_anything_else_is_told(title: object) -> None:
    content = {"name": "search", "title": title}

    assert without_noise(content) == (content, [])
