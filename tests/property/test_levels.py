"""The rule by which the project's servers replace the user's, against a plain statement of it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from mcplock.approved import Approved, of_lock
from mcplock.levels import merged
from mcplock.model import Lock, LockedServer
from tests.locks import entry, server, tool

NAMES = st.sampled_from("abcd")
HEADS = st.sampled_from(
    [{"approve": True}, {}, {"denied": "no"}, {"more": {"inputSchema": {"type": "string"}}}]
)
SOURCE = {"type": "stdio", "command": "x"}


@st.composite
def servers(draw: st.DrawFn, said: str) -> LockedServer:
    tools = draw(st.dictionaries(st.sampled_from("xyz"), HEADS, max_size=3))
    text = entry("Read this.", approve=draw(st.booleans())) if draw(st.booleans()) else None
    return server(
        *(tool(name, said, **head) for name, head in tools.items()),
        source=entry(SOURCE, approve=draw(st.booleans())),
        instructions=text,
    )


def locks(said: str) -> st.SearchStrategy[Approved]:
    return st.dictionaries(NAMES, servers(said), max_size=4).map(lambda rows: of_lock(Lock(rows)))


def of_server(found: Approved, name: str) -> tuple:
    """All that is seen of one server."""
    tools = [tool for tool in found.tools if tool.server == name]
    omitted = [left for left in found.omitted if left.server == name]
    return tools, omitted, found.instructions.get(name)


@given(locks("Ours."), locks("Mine."), st.sets(NAMES))
@settings(max_examples=300, deadline=None)
def test_each_server_is_seen_as_one_level_has_it(
    project: Approved, user: Approved, named: set[str]
) -> None:
    both = merged(project, user, named)

    for name in "abcd":
        if name in project.servers:
            assert of_server(both, name) == of_server(project, name)
        elif name in named:
            tools, omitted, text = of_server(both, name)
            assert (tools, text) == ([], None)
            mine = {tool.name for tool in of_server(user, name)[0]}
            assert mine <= {left.tool for left in omitted}
        else:
            assert of_server(both, name) == of_server(user, name)
    assert merged(project, user, named) == both
    assert both.tools[: len(project.tools)] == project.tools
