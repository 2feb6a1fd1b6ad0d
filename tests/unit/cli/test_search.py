"""`search`: which approved tool could do it."""

from .conftest import Project, definition, server


def locked(project: Project) -> None:
    project.write(
        {
            "docs": server(
                definition("list_directory", "Shows what a folder holds.\nNot hidden files."),
                definition("delete_page", "Removes a page\u200b for good."),
                definition("unread", "Shows folders too."),
            )
        }
    )
    project.ok("approve", "@docs", "docs/list_directory", "docs/delete_page", "--yes")


def test_the_best_comes_first_and_only_what_is_approved(project: Project) -> None:
    locked(project)

    result = project.ok("search", "what", "is in this folder")

    assert result.out == "docs/list_directory  Shows what a folder holds.\n"


def test_hidden_characters_are_shown(project: Project) -> None:
    locked(project)

    assert "page⟨U+200B⟩ for good" in project.ok("search", "deletePage").out


def test_json_holds_scores(project: Project) -> None:
    locked(project)

    document = project.ok("search", "page", "folder", "--json", "--limit", "1").document()

    (row,) = document["results"]
    assert document["version"] == 1
    assert row.keys() == {"server", "tool", "score"}
    assert row["score"] > 0


def test_nothing_found_is_no_failure(project: Project) -> None:
    locked(project)

    result = project.ok("search", "zeppelin")

    assert (result.out, "mcplock list" in result.err) == ("", True)
    assert result.err.startswith("nothing fits\n")
    assert project.ok("search", "zeppelin", "--json").document()["results"] == []
    assert project.run("search").code == 2
    assert project.run("search", "x", "--limit", "0").code == 2


def test_without_a_lock_nothing_is_searched(project: Project) -> None:
    assert project.run("search", "x").code == 2


def test_what_was_not_looked_through_is_counted_with_the_reason(project: Project) -> None:
    locked(project)
    one_is_new = "1 tool of docs is left out: not reviewed yet\n"
    assert project.ok("search", "folder").err == one_is_new
    project.ok("approve", "docs/unread")
    project.ok("deny", "docs/delete_page", "--reason", "no")
    assert project.ok("search", "folder").err == ""

    project.write_manifest({"docs": "serve"}, "")
    manifest = project.root / "mcp.toml"
    manifest.write_text('[servers.docs]\ncommand = "serve"\ndisabled = true\n', encoding="utf-8")
    result = project.ok("search", "folder")

    assert result.out == ""
    said = result.err.splitlines()[:2]
    assert said == ["nothing fits", "2 tools of docs are left out: it is disabled"]
    document = project.ok("search", "folder", "--json").document()
    assert document["left_out"] == [
        {"server": "docs", "tools": 2, "reason": "its server is disabled"}
    ]


def test_of_many_servers_that_are_left_out_a_few_are_named(project: Project) -> None:
    project.write({f"s{at}": server(definition("a"), definition("b")) for at in range(5)})
    assert project.ok("search", "zeppelin").err.splitlines()[1:5] == [
        "2 tools of s0 are left out: not reviewed yet",
        "2 tools of s1 are left out: not reviewed yet",
        "2 tools of s2 are left out: not reviewed yet",
        "… and 4 more tools",
    ]
