"""What stands above and below a page of a review."""

from mcplock.changes import compare_entries
from mcplock.model import Kind
from mcplock.naming import Named
from mcplock.render.review import body_lines, foot_line, head_line, pages_of
from mcplock.render.spans import to_plain
from mcplock.workflow.reviewing import Extent, Fate, Mode, Review
from tests.locks import lock, server, tool


def pages(*named: Named, old=None) -> Review:
    changes = [compare_entries(n.server, n.kind, n.name, old, n.entry) for n in named]
    return Review(pages_of(changes, named, lambda _: None))


def test_the_head_tells_of_a_change_that_breaks_callers() -> None:
    more = {"inputSchema": {"type": "object", "properties": {"q": {}}, "required": ["q"]}}
    before, after = tool("search"), tool("search", more=more)
    waits = Named("docs", Kind.TOOL, "search", after._replace(approved=before.hash))

    assert to_plain([head_line(pages(waits, old=before))]) == (
        "1/1  docs/search  changed  (breaking)\n"
    )


def test_what_is_explained_comes_last_and_each_of_it_is_shown() -> None:
    olds = {f"a{at}": tool(f"a{at}", f"{at}:  spaced") for at in range(3)}
    news = {name: tool(name, f"{name[1:]}: spaced") for name in olds}
    named = [
        Named("docs", Kind.TOOL, name, news[name]._replace(approved=old.hash))
        for name, old in olds.items()
    ]
    fresh = Named("docs", Kind.TOOL, "new", tool("new"))
    changes = [compare_entries("docs", Kind.TOOL, n.name, olds[n.name], n.entry) for n in named]
    changes.append(compare_entries("docs", Kind.TOOL, "new", None, fresh.entry))

    review = Review(pages_of(changes, [*named, fresh], lambda _: None))

    assert [[named.name for named in page.entries] for page in review.pages] == [["new"], [*olds]]
    explained = review._replace(at=1)
    head = to_plain([head_line(explained)])
    assert head == "2/2  docs  3 tools that seem to differ only in white space  changed\n"
    body = to_plain(body_lines(explained, lock(docs=server()), 80))
    assert all(f"{at}: spaced" in body for at in range(3))


def test_what_the_rest_leaves_stands_before_it() -> None:
    names = [*(f"t{at:02}" for at in range(40)), "o\u200bdd"]
    found = [Named("docs", Kind.TOOL, name, tool(name, f"Does {name}.")) for name in names]
    review = pages(*found)
    assert review.pages[0].high
    asked = review._replace(mode=Mode.REST)

    rows = to_plain(body_lines(asked, lock(docs=server()), 80)).splitlines()

    assert rows[0] == "  not with them, for high findings: docs/o\u27e8U+200B\u27e9dd"
    assert len(rows) == 42


def test_the_rest_names_what_was_skipped_and_a_source_that_stays_as_it_is() -> None:
    review = pages(*(Named("docs", Kind.TOOL, name, tool(name)) for name in "ab"))
    locked = lock(docs=server()._replace(source=server().source._replace(approved=None)))
    asked = review._replace(mode=Mode.REST, at=1, fates={0: Fate.SKIPPED})

    assert to_plain(body_lines(asked, locked, 80)).splitlines() == [
        "  @docs, the source, stays new: no tool of it is usable before that is approved",
        "  2 entries of docs, undecided so far:",
        "    docs/a  new  skipped",
        "    docs/b  new",
    ]


def test_the_foot_offers_the_rest_where_it_is_more_than_what_is_shown() -> None:
    one, two = (pages(*(Named("d", Kind.TOOL, n, tool(n)) for n in ns)) for ns in ("a", "ab"))
    short, long = Extent(5, 20), Extent(500, 20)

    assert "A rest" not in to_plain([foot_line(one, short, 80)])
    assert "A rest" in to_plain([foot_line(two, short, 80)])
    for width in (80, 60, 40):
        foot = to_plain([foot_line(two, long, width)])
        assert "A" in foot
        assert "? help" in foot
        assert len(foot) <= width + 1
