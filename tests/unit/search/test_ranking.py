"""What comes first: by words of other forms, by other words, and in spite of slips."""

import pytest

from mcplock.approved import Tool
from mcplock.search import Index


def tool(name: str, description: str = "", server: str = "some", **parameters: str) -> Tool:
    properties = {key: {"type": "string", "description": text} for key, text in parameters.items()}
    schema = {"type": "object", "properties": properties}
    return Tool(
        server,
        name,
        "",
        True,
        {"name": name, "description": description, "inputSchema": schema},
    )


FILES = [
    tool("create_directory", "Create a directory."),
    tool("list_directory", "Shows all files of a directory."),
    tool("delete_file", "Delete a file."),
    tool("move_file", "Move a file somewhere else."),
    tool("read_file", "Read the contents of a file."),
    tool("search_text", "Search text in files."),
    tool("handle_dialog", "Accept or dismiss a dialog."),
    tool("convert_currency", "Convert an amount of money."),
]


def found(query: str, *tools: Tool) -> list[str]:
    return [hit.tool.name for hit in Index(tools or FILES).search(query)]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("mkdir", "create_directory"),
        ("ls", "list_directory"),
        ("ls -la", "list_directory"),
        ("rm", "delete_file"),
        ("mv", "move_file"),
        ("cat notes", "read_file"),
        ("grep", "search_text"),
    ],
)
def test_a_command_of_the_shell_finds_the_tool_that_does_the_same(query: str, first: str) -> None:
    assert found(query)[0] == first


def test_a_command_is_one_only_at_the_beginning() -> None:
    tools = [tool("feed", "Feed an animal of a shelter."), tool("read_file", "Read a file.")]

    assert found("feed a cat", *tools) == ["feed"]


@pytest.mark.parametrize("query", ["dismiss the popup", "close the alert", "modal"])
def test_another_word_for_the_same_thing_finds_it(query: str) -> None:
    assert found(query)[0] == "handle_dialog"


def test_a_word_itself_wins_over_other_words_for_it() -> None:
    tools = [tool("erase_page"), tool("remove_page"), tool("delete_page"), tool("purge_page")]

    for name in ("erase_page", "remove_page", "delete_page", "purge_page"):
        assert found(name.replace("_", " "), *tools)[0] == name


def test_the_tool_that_is_called_as_a_command_wins_over_what_the_command_means() -> None:
    assert found("mkdir", *FILES, tool("mkdir"))[0] == "mkdir"


@pytest.mark.parametrize("query", ["get rid of a file", "throw away the file"])
def test_a_phrase_counts_by_what_it_means(query: str) -> None:
    away = tool("get_file", "Get a file that was thrown.")

    assert found(query, *FILES, away)[0] == "delete_file"


@pytest.mark.parametrize("query", ["converter", "converted", "conversion", "currencies"])
def test_the_forms_of_a_word_find_each_other(query: str) -> None:
    assert found(query) == ["convert_currency"]


@pytest.mark.parametrize("query", ["curency", "currrency", "currnecy", "currancy"])
def test_one_slip_in_a_long_word_is_forgiven(query: str) -> None:
    assert found(query) == ["convert_currency"]


@pytest.mark.parametrize("query", ["ditectory listing", "xurrency", "curreccny", "dialug hat"])
def test_a_slip_never_wins_over_what_was_written(query: str) -> None:
    assert "convert_currency" not in found(query)


def test_the_beginning_of_a_word_is_enough() -> None:
    assert found("curr") == ["convert_currency"]


def test_two_words_as_one_and_one_as_two_are_the_same() -> None:
    tools = [tool("convert", "Between time zones."), tool("geocode", "To coordinates.")]

    assert found("timezone", *tools) == ["convert"]
    assert found("geo code", *tools) == ["geocode"]


def test_a_tool_that_fits_all_words_comes_before_one_that_has_one_of_them_often() -> None:
    both = tool("write", page="What.", comment="How.")
    tools = [tool("page", "Pages.", where="What.", how="How.")]
    tools += [tool(f"with_{at}", page="What.", title="How.") for at in "abc"]
    tools += [tool(f"by_{at}", where="What.", comment="How.") for at in "abcd"]

    assert found("page comment", both, *tools)[0] == "write"


def test_the_name_of_the_server_counts() -> None:
    tools = [tool("post", server="calendar"), tool("post", server="notion")]

    (best, *_) = Index(tools).search("post in notion")

    assert best.tool.server == "notion"


def test_what_a_description_says_first_counts_more_than_the_rest() -> None:
    tools = [
        tool("aa", "Sends it. It is never the weather that is told, nor anything like that."),
        tool("bb", "Tells the weather. It is never sent, nor anything like that is done here."),
    ]

    assert found("weather", *tools) == ["bb", "aa"]


def test_question_words_and_short_forms_find_nothing() -> None:
    tools = [tool("s", "A t, an m, a ve."), tool("forecast", "What is it like?")]

    assert found("what's the forecast, don't you know", *tools) == ["forecast"]


def test_the_name_of_a_file_counts_less_than_what_is_to_be_done_with_it() -> None:
    tools = [tool("notes", "Notes."), tool("append", "Append a line.")]

    assert found("append notes.txt", *tools)[0] == "append"


def test_a_number_counts_less_than_a_word() -> None:
    tools = [tool("one", "From 1 to 10."), tool("random_number", "Draws it.")]

    assert found("random from 1 to 10", *tools)[0] == "random_number"


@pytest.mark.parametrize("query", ["", "   ", "'", "don't", "a" * 100_000, "a." * 50_000])
def test_a_strange_query_is_no_trouble(query: str) -> None:
    Index(FILES).search(query)


def test_without_tools_nothing_is_found() -> None:
    assert Index([]).search("mkdir currancy") == []
