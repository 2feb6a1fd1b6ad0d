"""What looks like a secret: the rules, all in this place.

A literal looks like a secret

1. by the name it stands under (an `env` key, a header, a flag such as `--api-key`, a key
   in a URL's query or in `name=value` and `"name": "value"` inside a longer text), where the
   name has one of the words below, such as TOKEN, PASSWORD or API_KEY, and its last word
   does not make it something else, as in TOKEN_FILE, KEY_ID or MAX_TOKENS;
2. as a password in a URL's userinfo, in a server's own URL also a user alone;
3. by its shape: the prefixes that services give their tokens, a JSON Web Token, a private
   key in PEM, and long random letters and digits.

Under a secret name everything counts that has four characters or more and is no word such
as `true` or `none`, no path, no placeholder such as `<token>` or `your-key`, and no variable
in another program's spelling such as `$TOKEN`. By shape alone, a UUID, a digest such as
`sha256:…`, a commit behind `@`, a path or a package's name never counts.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from mcplock.lazy import pattern
from mcplock.records import NamedTuple

VEIL = "\x00"
"""Stands in place of each character that is no literal."""
MASK = "⟨a secret⟩"
"""Stands where a message held what looks like a secret."""


class Span(NamedTuple):
    """Where in a text a secret seems to stand, and the name that it stands under."""

    start: int
    end: int
    name: str


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SHORTEST_NAME = 2
"""Of the words that make a name one of a secret, `pw` is the shortest."""
_SHORTEST_TOKEN = 15
"""`xoxb-` and ten characters; what counts for being random is longer."""

_WORD = pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_STRONG_ENDS = ("token", "secret", "passwd", "password", "apikey")
_STRONG = _set(
    "secrets passwords passphrase passcode pw pwd pass pgpass authorization credential "
    "credentials bearer cookie cookies jwt pat secretkey secretkeys privatekey privatekeys "
    "accesskey accesskeys authkey authkeys"
)
_KEYS = frozenset(["key", "keys"])
_BEFORE_KEYS = _set(
    "api access private secret auth encryption signing service license subscription account "
    "master admin app client deploy bot"
)
_WEAK = _set("key keys auth sig signature session code salt")
_OTHERWISE = _set(  # as the last word
    "file path dir directory stdin url uri endpoint host name names id ids type kind ttl "
    "limit length len size count max min header headers env var variable expiry expires "
    "expiration timeout store provider helper prefix suffix enabled disabled required mode "
    "region scope scopes budget model format field column usage interval policy version alg "
    "algorithm source location issuer audience rotation cache manager"
)
_NOT_ONE = frozenset(["public", "publishable", "no", "without"])
_IDENTIFIES = _set(
    "id ids sha hash digest checksum commit rev revision ref integrity fingerprint etag "
    "version uuid guid"
)
_HARMLESS = _set(
    "true false none null nil yes no on off auto default required optional enabled disabled "
    "basic bearer digest oauth oauth2 apikey public anonymous token tokens password secret "
    "header query cookie env prompt ask"
)
_SCHEME = pattern(r"\s*(?:(?:bearer|basic|digest|token|apikey|api-key|key)[\s:=]+)?", re.IGNORECASE)
_PLACEHOLDER = pattern(
    r"<[^<>]*>|\{\{?[\w .:/-]+\}\}?|%\w+%|\$\w+|\$\(.*\)|\$\{\{.*\}\}|\{(?:env|file):.*\}"
    r"|[.…*•_xX-]+|(?:your|insert|replace|enter|change|example|placeholder|todo|dummy)"
    r"[-_ a-z]*",
    re.IGNORECASE,
)
_PATH = pattern(r"(?:~|\.{1,2})?[/\\]|[A-Za-z]:[\\/]")


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name)]


def secret_name(name: str) -> bool:
    """Whether what stands under `name` is a secret: `API_KEY`, `--password`, `Authorization`."""
    if len(name) < _SHORTEST_NAME:
        return False
    words = _words(name)
    if not words or words[-1] in _OTHERWISE or not _NOT_ONE.isdisjoint(words):
        return False
    if any(word in _STRONG or word.endswith(_STRONG_ENDS) for word in words):
        return True
    return any(first in _BEFORE_KEYS and then in _KEYS for first, then in pairwise(words))


def _weak_name(name: str) -> bool:
    if len(name) < _SHORTEST_NAME:
        return False
    words = _words(name)
    return bool(words and words[-1] in _WEAK) and _NOT_ONE.isdisjoint(words)


def secret_value(name: str, value: str) -> bool:
    """Whether `value` under `name` is to be kept secret."""
    telling = secret_name(name) or (_weak_name(name) and _mixed(value))
    return telling and not _harmless(value)


def _harmless(value: str) -> bool:
    value = value.strip(" \t\r\n\"'")
    return (
        len(value) < 4
        or value.lower() in _HARMLESS
        or bool(_PLACEHOLDER.fullmatch(value))
        or bool(_PATH.match(value) and not any(map(_random, re.split(r"[\\/]", value))))
    )


def _mixed(value: str) -> bool:
    return len(value) >= 8 and bool(re.search("[0-9]", value) and re.search("[A-Za-z]", value))


_TOKEN = pattern(
    r"(?<![A-Za-z0-9])(?:"
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[^-]|-(?!----END))*(?:-----END [A-Z ]*PRIVATE KEY-----)?"
    r"|eyJ[\w-]{8,2000}\.[\w-]{8,}(?:\.[\w-]*)?"  # a JSON Web Token
    r"|(?:sk|rk)[-_](?:[a-z]{1,12}[0-9]{0,4}[-_]){0,4}[A-Za-z0-9_-]{16,}"  # OpenAI, Stripe, …
    r"|gh[oprsu]_[A-Za-z0-9]{20,}|github_pat_\w{20,}"
    r"|gl(?:pat|ptt|dt|rt|cbt|soat)-[\w-]{16,}"
    r"|xox[abeoprs]-[\w-]{10,}|xapp-[\w-]{10,}"
    r"|(?:AKIA|ASIA)[0-9A-Z]{16}"
    r"|AIza[\w-]{30,}|ya29\.[\w-]{16,}|GOCSPX-[\w-]{16,}"
    r"|npm_[A-Za-z0-9]{30,}|pypi-[\w-]{40,}|dckr_pat_[\w-]{16,}"
    r"|hf_[A-Za-z0-9]{24,}|gsk_\w{24,}|xai-\w{24,}|pplx-\w{24,}|tvly-[\w-]{16,}|r8_\w{24,}"
    r"|SG\.[\w-]{16,}\.[\w-]{16,}|dop_v1_\w{32,}|lin_api_\w{24,}|ntn_\w{24,}|figd_[\w-]{24,}"
    r"|sntry[su]_[\w=+/-]{24,}|shp(?:at|ca|pa|ss)_\w{24,}|sq0[a-z]{3}-[\w-]{20,}"
    r"|hv[bs]\.[\w-]{20,}|ATATT3\w{20,}|AGE-SECRET-KEY-1\w{20,}|ctx7sk-[\w-]{16,}"
    r"|[A-Za-z]{2,8}_(?:live|test|prod|secret|pat)_[A-Za-z0-9]{16,}"
    r")"
)
_RUN = pattern(
    r"(?<![\w@#./~\\+-])(?<!sha256:)(?<!sha512:)[A-Za-z0-9+/_-]{20,}={0,2}(?![\w./\\@-])"
)
_DIGEST = pattern(r"(?:sha(?:1|224|256|384|512)|md5|blake[23]\w?)[-:]|AAAA[BCE]3")
_UUID = pattern(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def _random(word: str) -> bool:
    """Whether `word` is long and of letters and digits that no language mixes so."""
    word = word.rstrip("=")
    if len(word) < 24 or _UUID.fullmatch(word) or _DIGEST.match(word):
        return False
    if re.fullmatch("[0-9a-f]+|[0-9A-F]+", word):
        return len(word) >= 32 and _alternation(word) > 0.2
    if not (re.search("[a-z]", word) and re.search("[0-9]", word)):
        return False
    if re.search("[A-Z]", word):
        return _alternation(word) > 0.38
    return word.isalnum() and _alternation(word) > 0.28


def _alternation(word: str) -> float:
    """How often neighbours are of two classes: lower case, upper case, digit."""
    classes = ["0" if char.isdigit() else "A" if char.isupper() else "a" for char in word]
    return sum(first != then for first, then in pairwise(classes)) / (len(word) - 1)


_URL = pattern(r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]*+://[^\s\"'<>`]+")
_USERINFO = pattern(
    r"(?:://|^)(?P<user>[^\s/?#@:\"']{0,999})(?::(?P<password>[^\s/?#\"']{0,999}))?@"
)
_PAIR = pattern(
    r"(?<![A-Za-z0-9_.])(?<![A-Za-z0-9]-)(?P<name>[A-Za-z][\w.-]*+)[\"']?\s*"
    r"(?P<sign>=|:(?!//))\s*[\"']?"
)
_VALUE = pattern(r"(?:(?:bearer|basic|token)\s+)?[^\s\"',;&=\x00]+={0,2}", re.IGNORECASE)


def secret_spans(text: str, name: str, *, is_url: bool = False) -> list[Span]:
    """Where `text`, which stands under `name`, holds what looks like a secret, in order.

    What is no literal is veiled. is_url: the text is the URL of a server.

    Each rule is asked only where it can apply: most words of a manifest are short, and to
    compile what cannot match them would take longer than all else that is done with them.
    """
    found: list[Span] = []
    if len(name) >= _SHORTEST_NAME:
        found += _whole(text, name)
    if "@" in text:
        found += _userinfo(text, alone=is_url)
    if "=" in text or ":" in text:
        found += _pairs(text)
    if len(text) >= _SHORTEST_TOKEN:
        found += _shaped(text, name)
    return list(_apart(sorted(found, key=lambda span: (span.start, -span.end))))


def without_secrets(text: str, instead: str = MASK) -> str:
    """`text`, line by line, with `instead` in place of whatever looks like a secret."""
    lines = text.split("\n")
    return "\n".join(_covered(line, secret_spans(line, ""), instead) for line in lines)


def _covered(text: str, spans: list[Span], instead: str) -> str:
    for span in reversed(spans):
        text = f"{text[: span.start]}{instead}{text[span.end :]}"
    return text


def shaped(text: str) -> bool:
    """Whether `text` is or holds a secret by its shape alone: then it is no name to be printed."""
    return len(text) >= _SHORTEST_TOKEN and any(_shaped(text, ""))


def without_shapes(text: str) -> str:
    """`text` with the mask in place of what is a secret by its shape alone."""
    if len(text) < _SHORTEST_TOKEN:
        return text
    spans = sorted(_shaped(text, ""), key=lambda span: (span.start, -span.end))
    return _covered(text, list(_apart(spans)), MASK)


def _shaped(text: str, name: str) -> Iterator[Span]:
    yield from (Span(hit.start(), hit.end(), name) for hit in _TOKEN.finditer(text))
    words = _words(name)
    if not (words and words[-1] in _IDENTIFIES):
        yield from _runs(text, name)


def _whole(text: str, name: str) -> Iterator[Span]:
    start = _end_of_scheme(text)
    if VEIL not in text:
        if secret_value(name, text[start:]):
            yield Span(start, len(text), name)
    elif secret_name(name):
        for hit in re.finditer(f"[^{VEIL}\\s:;,][^{VEIL}]*", text):
            start = hit.start() + _end_of_scheme(hit[0])
            piece = text[start : hit.end()]
            if _mixed(piece) and not _harmless(piece) and "=" not in piece:
                yield Span(start, hit.end(), name)


def _end_of_scheme(text: str) -> int:
    hit = _SCHEME.match(text)
    return hit.end() if hit else 0


def _userinfo(text: str, *, alone: bool) -> Iterator[Span]:
    for hit in _USERINFO.finditer(text):
        if not alone and not hit[0].startswith("://"):
            continue
        for part in ("password", "user"):
            value = hit[part]
            told = value and VEIL not in value and not _PLACEHOLDER.fullmatch(value)
            if told and (alone or part == "password"):
                yield Span(*hit.span(part), part)


def _pairs(text: str) -> Iterator[Span]:
    end = 0
    for hit in _PAIR.finditer(text):
        name = hit["name"]
        telling = secret_name(name) or (hit["sign"] == "=" and _weak_name(name))
        if hit.start() < end or not telling or (hit["sign"] == ":" and _is_artifact(text, hit)):
            continue
        found = _VALUE.match(text, hit.end())
        value = found[0] if found else ""
        scheme = _end_of_scheme(value)
        if secret_value(name, value[scheme:]) and not re.search(r"[()\[\]{}]", value):
            end = hit.end() + len(value)
            yield Span(hit.end() + scheme, end, name)


def _is_artifact(text: str, hit: re.Match[str]) -> bool:
    """As `org.webtoken:library-2` or `registry/token:2` is, or the address in `/token: gone`."""
    return "." in hit["name"] or text[: hit.start()].endswith("/")


def _runs(text: str, name: str) -> Iterator[Span]:
    for hit in _URL.finditer(text):
        for segment in re.finditer(r"(?<=[/?&=#])[A-Za-z0-9_+-]+={0,2}(?=[/?&#]|$)", hit[0]):
            if _random(segment[0]):
                yield Span(hit.start() + segment.start(), hit.start() + segment.end(), name)
    outside = _URL.sub(lambda hit: VEIL * len(hit[0]), text)
    for hit in _RUN.finditer(outside):
        if _random(hit[0]):
            yield Span(hit.start(), hit.end(), name)


def _apart(spans: list[Span]) -> Iterator[Span]:
    """`spans` without those that overlap an earlier one."""
    end = 0
    for span in spans:
        if span.start >= end:
            yield span
            end = span.end
