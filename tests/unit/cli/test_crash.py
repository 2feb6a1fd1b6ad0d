"""The report of a bug holds no credentials."""

import re
from pathlib import Path

import pytest

from mcplock.cli.crash import write_report


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "Basic"])
@pytest.mark.parametrize("tail", [b"", b"\n", b" xyz", "é".encode(), b"\x07"])
def test_a_header_that_an_error_quotes_is_masked_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str, tail: bytes
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    value = f"{scheme} at-one-two".encode() + tail
    path = write_report(ValueError(f"Illegal header value {value!r}"), ["login"], {})
    assert path
    report = path.read_text(encoding="utf-8")
    assert re.search(rf"Illegal header value b'{scheme} ⟨a secret⟩'", report)
    assert "at-one-two" not in report and "xyz" not in report
