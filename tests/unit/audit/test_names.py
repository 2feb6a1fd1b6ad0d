import pytest

from mcplock.audit import skeletons
from mcplock.audit.names import audit_name

KNOWN = ("read_file", "exec", "modern", "list_1", "search", "GetUser", "pagar_señal")

ODD = {
    "re\u0430d_file": {"mixed-script", "look-alike"},  # Cyrillic а
    "\uff52ead_file": {"mixed-script", "look-alike"},  # full-width r
    "verify_\u057dser": {"mixed-script"},  # Armenian
    "\u0435\u0445\u0435\u0441": {"look-alike"},  # wholly Cyrillic
    "\U0001d42e\U0001d42c\U0001d41er_x": {"mixed-script"},  # mathematical bold
    "\u03b1dmin": {"mixed-script"},  # Greek alpha
    "read\u200b_file": {"look-alike", "hidden-character"},
    "read\u00a0file": {"hidden-character"},
    "get\nx": {"terminal-escape"},
    "\u202egnp": {"bidirectional"},
    "read\u2010file": set(),
    "rnodern": {"look-alike"},
    "list_l": {"look-alike"},
    "pagar_sen\u0303al": {"look-alike"},  # equal after normalisation
    "\uff33\uff25\uff21rch": {"mixed-script"},
    "delete_\u0444\u0430\u0439\u043b": {"mixed-script"},
    "поиск_検索": {"mixed-script"},
}
HONEST = (
    "read_file",
    "getuser",
    "検索",
    "ファイル検索_v2",
    "Google検索",
    "ＡＰＩ検索",
    "поиск",
    "поиск_2",
    "αναζήτηση",
    "créer_note",
    "7zip.list files",
    "user/update",
    "בחיפוש",
    "搜索文件",
    "파일_읽기",
    "ค้นหา",
    "",
    "🔍search",
)


@pytest.mark.parametrize(("name", "rules"), ODD.items(), ids=map(ascii, ODD))
def test_an_odd_name_is_found(name, rules):
    found = list(audit_name(name, "/name", skeletons([*KNOWN, name])))
    assert {finding.rule for finding in found} == rules
    assert {finding.severity for finding in found} <= {"high"}


@pytest.mark.parametrize("name", HONEST, ids=ascii)
def test_an_honest_name_is_not(name):
    assert list(audit_name(name, "/name", skeletons([*KNOWN, name, *HONEST]))) == []


def test_the_finding_stands_at_the_name_that_is_odd():
    odd = "re\u0430d_file"
    neighbours = skeletons(["read_file", odd])
    assert not list(audit_name("read_file", "/name", neighbours))
    assert any(finding.rule == "look-alike" for finding in audit_name(odd, "/name", neighbours))


def test_of_two_plain_look_alikes_both_are_told():
    neighbours = skeletons(["list_1", "list_l"])
    for name in ("list_1", "list_l"):
        assert [finding.rule for finding in audit_name(name, "/name", neighbours)] == ["look-alike"]


def test_a_message_hides_nothing():
    _, alike = audit_name("a\x1b[2J", "/name", skeletons(["a\x1b[2J", "a[2J"]))
    assert alike.message == "the name a⟨U+001B⟩[2J looks like a[2J"
