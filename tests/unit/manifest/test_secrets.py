"""What looks like a secret and what does not.

The tokens here are made up at run time: no text of this file has the shape of one.
"""

import random
import string

import pytest

from mcplock.manifest.secrets import secret_name, secret_spans

ALNUM = string.ascii_letters + string.digits


def made(prefix: str, length: int, alphabet: str = ALNUM) -> str:
    dice = random.Random(prefix + str(length) + alphabet)
    return prefix + "".join(dice.choices(alphabet, k=length))


def found(text: str, name: str = "", *, is_url: bool = False) -> list[str]:
    return [text[span.start : span.end] for span in secret_spans(text, name, is_url=is_url)]


@pytest.mark.parametrize(
    "name",
    [
        "TOKEN",
        "GITHUB_PERSONAL_ACCESS_TOKEN",
        "apiKey",
        "api-key",
        "x-api-key",
        "OPENAI_API_KEY",
        "AWS_SECRET_ACCESS_KEY",
        "clientSecret",
        "DB_PASSWORD",
        "PGPASS",
        "PGPASSWORD",
        "TELEGRAM_BOTTOKEN",
        "password",
        "Authorization",
        "Proxy-Authorization",
        "Cookie",
        "MY_PAT",
        "JWT",
        "privateKey",
        "CREDENTIALS",
        "APIKEY",
        "authToken",
    ],
)
def test_names_of_secrets(name: str) -> None:
    assert secret_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "PATH",
        "MAX_TOKENS",
        "TOKEN_LIMIT",
        "TOKENIZER",
        "TOKENIZERS_PARALLELISM",
        "KEYBOARD",
        "SSH_AUTH_SOCK",
        "GOOGLE_CREDENTIALS_FILE",
        "TOKEN_URL",
        "API_KEY_HEADER",
        "AWS_ACCESS_KEY_ID",
        "CLIENT_ID",
        "PUBLIC_KEY",
        "STRIPE_PUBLISHABLE_KEY",
        "COMPASS",
        "BYPASS",
        "no-password",
        "password-stdin",
        "SECRET_NAME",
        "SECRETARY",
        "PASSWORD_MIN_LENGTH",
        "AUTHOR",
        "Accept",
        "名前",
    ],
)
def test_names_of_other_things(name: str) -> None:
    assert not secret_name(name)


PEM = "-----BEGIN {0} KEY-----\nMIIE{1}\n{1}\n-----END {0} KEY-----"
TOKENS = [
    made("sk-", 48),
    made("sk-proj-", 60, ALNUM + "_-"),
    made("sk-ant-api03-", 90, ALNUM + "_-"),
    made("sk_live_", 24),
    made("rk_test_", 24),
    *(made(f"gh{kind}_", 36) for kind in "oprsu"),
    made("github_pat_", 60, ALNUM + "_"),
    made("glpat-", 20, ALNUM + "-_"),
    made("xoxb-", 50, string.digits + "-" + ALNUM),
    made("xapp-1-", 40),
    made("AKIA", 16, string.ascii_uppercase + string.digits),
    made("AIza", 35, ALNUM + "_-"),
    made("ya29.", 60, ALNUM + "_-"),
    made("GOCSPX-", 28),
    made("npm_", 36),
    made("pypi-AgEIcHlwaS5vcmc", 80, ALNUM + "_-"),
    made("dckr_pat_", 27),
    made("hf_", 34),
    made("gsk_", 52),
    made("tvly-", 32),
    made("SG.", 22) + "." + made("", 43),
    made("dop_v1_", 64, "0123456789abcdef"),
    made("lin_api_", 40),
    made("ntn_", 46),
    made("shpat_", 32, "0123456789abcdef"),
    made("hvs.", 90),
    made("ATATT3xFfGF0", 100),
    made("eyJhbGciOiJI", 20) + "." + made("eyJ", 60) + "." + made("", 43, ALNUM + "-_"),
    PEM.format("RSA PRIVATE", made("", 60)),
    PEM.format("PRIVATE", made("", 60)),
    made("", 32, "0123456789abcdef"),
    made("", 64, "0123456789ABCDEF"),
    made("", 40),
    made("", 86, ALNUM + "+/") + "==",
]


@pytest.mark.parametrize("token", TOKENS, ids=lambda token: token[:8])
@pytest.mark.parametrize(
    "text", ["{}", "--x={}", "X: {}", "Bearer {}", '{{"a": "{}"}}', "a {} b", "https://h/s/{}/mcp"]
)
def test_shapes_of_secrets_are_found_in_any_text(token: str, text: str) -> None:
    pieces = token.split("/") if "https" in text else [token]
    if "\n" not in token or "https" not in text:  # no URL holds a private key
        assert found(text.format(token)) == pieces


@pytest.mark.parametrize(
    "text, name, secret",
    [
        ("hunter2", "PASSWORD", "hunter2"),
        ("correct horse battery", "passphrase", "correct horse battery"),
        ("1234", "DB_PASSWORD", "1234"),
        ("Bearer abc123", "Authorization", "abc123"),
        ("Basic dXNlcjpwdw==", "authorization", "dXNlcjpwdw=="),
        ("token abcdef", "Authorization", "abcdef"),
        ("raw-value", "Authorization", "raw-value"),
        ("session=abc; path=/", "Cookie", "session=abc; path=/"),
        ("3f2b8c1e-9d4a-4e6f-8b7a-1c2d3e4f5a6b", "API_KEY", "3f2b8c1e-9d4a-4e6f-8b7a-1c2d3e4f5a6b"),
        ("a1b2c3d4", "ENCRYPTION_KEY", "a1b2c3d4"),
        ("abcd1234", "KEY", "abcd1234"),  # a weak name and a mixed value
        ("--api-key=abc1", "", "abc1"),
        ("--password=hunter2", "", "hunter2"),
        ("API_KEY=abcdef", "e", "abcdef"),
        ("API_KEY='abcdef'", "e", "abcdef"),
        ("X-Api-Key: abcdef", "header", "abcdef"),
        ("Authorization: Bearer abcdef", "H", "abcdef"),
        ('{"Authorization": "Bearer abcdef", "V": "2022-06-28"}', "OPENAPI_HEADERS", "abcdef"),
        ("--set=auth.token=abcdef", "", "abcdef"),
        ("Server=h;Password=abc123;Database=d", "CONNECTION", "abc123"),
        ("postgresql://user:pw12@h:5432/db", "", "pw12"),
        ("https://h/?api_key=abcdef&x=1", "", "abcdef"),
        ("https://h/?x=1#token=abcdef", "", "abcdef"),
        ("https://h/?sig=" + made("", 12), "", made("", 12)),
    ],
)
def test_names_make_secrets(text: str, name: str, secret: str) -> None:
    assert found(text, name) == [secret]


def test_userinfo_of_a_server_s_url() -> None:
    assert found("https://me:pw@h/mcp", is_url=True) == ["me", "pw"]
    assert found("https://me@h/mcp", is_url=True) == ["me"]
    assert found("me:pw@h/mcp", is_url=True) == ["me", "pw"]
    assert found("https://h/a@b", is_url=True) == []
    assert found("ssh://git@github.com/x") == []


HARMLESS = """
--verbose
-y
@modelcontextprotocol/server-filesystem@2025.8.21
@upstash/context7-mcp@latest
mcp-server-time==2025.7.1
git+https://github.com/owner/repo@8b1a9953c4611296a827abf8c47804d7e6c49c6b
ghcr.io/github/github-mcp-server@sha256:{hex64}
ghcr.io/github/github-mcp-server:v0.5.0
mcr.microsoft.com/playwright/mcp
sha512-{b64}==
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK{b43}
-----BEGIN CERTIFICATE-----
/Users/someone/Library/Application Support/Claude/claude_desktop_config.json
/nix/store/0c5b8vw40dy178xlpddw65q9gf1h2186-source/bin/server
C:\\Users\\someone\\AppData\\Roaming\\npm\\node_modules\\some-server\\dist\\index.js
./node_modules/.bin/playwright-mcp
3f2b8c1e-9d4a-4e6f-8b7a-1c2d3e4f5a6b
https://docs.example.com/mcp
https://mcp.example.com/v1/projects/3f2b8c1e-9d4a-4e6f-8b7a-1c2d3e4f5a6b/mcp?read_only=true
https://example.com/very-long-human-readable-slug-2025-edition/mcp
http://127.0.0.1:33221/mcp
postgresql://localhost:5432/database
type=bind,src=/Users/someone/projects,dst=/projects
--max-old-space-size=4096
--allowed-origins=https://a.example.com;https://b.example.com
application/json, text/event-stream
Europe/Berlin
2025-11-25T12:34:56.789Z
gpt-4o-mini-2024-07-18
claude-sonnet-4-20250514
arn:aws:iam::123456789012:role/SomeReadOnlyRole
us-east-1
true
import os; token = os.environ["TOKEN"]; print(token)
from server import main; main(token=get_token())
the-quick-brown-fox-jumps-over-the-lazy-dog
ThisIsALongCamelCaseIdentifierThatSomebodyWrote
SOME_VERY_LONG_CONSTANT_NAME_IN_UPPER_CASE_2025
com.google.auth:google-auth-library-oauth2-http
org.jsonwebtoken:token-api-2
key: value
keys=a,b,c
--token-file=/run/secrets/token
--header
0.0.0.0:8080
AbstractSingletonProxyFactoryBean2ConfigurationV3
"""


@pytest.mark.parametrize("text", HARMLESS.strip().splitlines())
def test_what_is_no_secret_by_shape(text: str) -> None:
    text = text.replace("{hex64}", made("", 64, "0123456789abcdef"))
    text = text.replace("{b64}", made("", 86)).replace("{b43}", made("", 30))
    assert found(text) == []


@pytest.mark.parametrize(
    "text, name",
    [
        ("", "TOKEN"),
        ("abc", "TOKEN"),
        ("true", "USE_TOKEN"),
        ("none", "PASSWORD"),
        ("<token>", "TOKEN"),
        ("Bearer <YOUR_HF_TOKEN>", "Authorization"),
        ("your-api-key", "API_KEY"),
        ("YOUR_API_KEY_HERE", "API_KEY"),
        ("changeme", "PASSWORD"),
        ("change-me", "PASSWORD"),
        ("xxxxxxxx", "TOKEN"),
        ("********", "TOKEN"),
        ("...", "TOKEN"),
        ("$TOKEN", "TOKEN"),
        ("Bearer $TOKEN", "Authorization"),
        ("Bearer $(echo $TOKEN)", "Authorization"),
        ("{env:TOKEN}", "TOKEN"),
        ("${{ secrets.TOKEN }}", "TOKEN"),
        ("%TOKEN%", "TOKEN"),
        ("/run/secrets/token", "TOKEN"),
        ("~/.config/token", "TOKEN"),
        ("C:\\secrets\\token", "TOKEN"),
        ("Bearer", "Authorization"),
        ("oauth2", "AUTH"),
        ("name", "SORT_KEY"),
        ("customerId", "PARTITION_KEY"),
        ("8000", "MAX_TOKENS"),
        ("/run/token", "TOKEN_FILE"),
        ("abcdef", "KEY_ID"),
        (made("", 40, "0123456789abcdef"), "GIT_SHA"),
        (made("", 32, "0123456789abcdef"), "DATABASE_ID"),
        ("https://h/oauth/token", "TOKEN_URL"),
    ],
)
def test_what_is_no_secret_in_spite_of_its_place(text: str, name: str) -> None:
    assert found(text, name) == []


def test_no_more_than_a_few_random_texts_are_missed() -> None:
    dice = random.Random(7)
    for alphabet, length in [(ALNUM, 32), (ALNUM + "-_", 43), ("0123456789abcdef", 40)]:
        texts = ["".join(dice.choices(alphabet, k=length)) for _ in range(500)]
        missed = [text for text in texts if not found(text)]
        assert len(missed) < 15
