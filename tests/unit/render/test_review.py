"""What stands above and below a page of a review."""

from mcplock.changes import compare_entries
from mcplock.model import Kind
from mcplock.naming import Named
from mcplock.render.review import body_lines, head_line, pages_of
from mcplock.render.spans import to_plain
from mcplock.workflow.reviewing import Question, Review
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
    asked = review._replace(question=Question.REST)

    rows = to_plain(body_lines(asked, lock(docs=server()), 80)).splitlines()

    assert rows[0] == "  not with them, for high findings: docs/o\u27e8U+200B\u27e9dd"
    assert len(rows) == 42
