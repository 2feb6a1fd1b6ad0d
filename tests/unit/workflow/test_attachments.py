"""What a result has besides text, on its way to files."""

from pathlib import Path

import pytest

from mcplock.errors import UsageError
from mcplock.workflow.attachments import Place, attachments, place, save


def images(count: int, mime: str = "image/png") -> list[dict[str, str]]:
    return [{"type": "image", "data": "AA==", "mimeType": mime}] * count


def test_each_name_is_tried_once(tmp_path: Path) -> None:
    (tmp_path / "call-2.png").write_bytes(b"mine")
    saved = save(attachments(images(3)), place(str(tmp_path)))
    assert [one.path.name for one in saved] == ["call-1.png", "call-3.png", "call-4.png"]
    assert (tmp_path / "call-2.png").read_bytes() == b"mine"
    again = save(attachments(images(1)), place(str(tmp_path)))
    assert [one.path.name for one in again] == ["call-5.png"]
    alone = save(attachments(images(3)), place(str(tmp_path / "one.png")))
    assert [one.path.name for one in alone] == ["one.png", "one-2.png", "one-3.png"]


def test_each_type_gets_its_own_ending(tmp_path: Path) -> None:
    found = attachments([*images(1), *images(1, "image/jpeg"), *images(1), *images(1, "x/y")])
    saved = save(found, place(str(tmp_path / "one.png")))
    names = [one.path.name for one in saved]
    assert names == ["one.png", "one-2.jpg", "one-3.png", "one-4.bin"]
    named = save(attachments(images(2, "image/jpeg")), place(str(tmp_path / "photo.jpeg")))
    assert [one.path.name for one in named] == ["photo.jpeg", "photo-2.jpeg"]


@pytest.mark.parametrize("name", ["new", "a/b"])
def test_a_directory_that_is_not_there_is_made_when_there_is_something_for_it(
    tmp_path: Path, name: str
) -> None:
    target = place(f"{tmp_path / name}/")
    assert target == Place(tmp_path / name, is_directory=True)
    assert save([], target) == []
    assert list(tmp_path.iterdir()) == []
    [saved] = save(attachments(images(1)), target)
    assert saved.path == tmp_path / name / "call-1.png"


def test_what_could_not_take_a_result_is_refused_before_the_call(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("file", "link", "file/", "file/below/", "none/a.png"):
        with pytest.raises(UsageError):
            place(f"{tmp_path}/{name}")
