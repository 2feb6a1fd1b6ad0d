"""Documents that the program itself writes are as it would write them now: `make docs`."""

from pathlib import Path

from tests.documents.commands import with_table

ROOT = Path(__file__).parents[2]


def test_the_table_of_commands_is_what_help_says() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert with_table(readme) == readme, "run `make docs`"
