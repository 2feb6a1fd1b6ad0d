"""What a result has besides text, on its way to files."""

from pathlib import Path

from mcplock.workflow.attachments import attachments, save


def images(count: int) -> list[dict[str, str]]:
    return [{"type": "image", "data": "AA==", "mimeType": "image/png"}] * count


def test_each_name_is_tried_once(tmp_path: Path) -> None:
    (tmp_path / "call-2.png").write_bytes(b"mine")
    saved = save(attachments(images(3)), tmp_path)
    assert [one.path.name for one in saved] == ["call-1.png", "call-3.png", "call-4.png"]
    assert (tmp_path / "call-2.png").read_bytes() == b"mine"
    again = save(attachments(images(1)), tmp_path)
    assert [one.path.name for one in again] == ["call-5.png"]
    alone = save(attachments(images(3)), tmp_path / "one.png")
    assert [one.path.name for one in alone] == ["one.png", "one-2.png", "one-3.png"]
