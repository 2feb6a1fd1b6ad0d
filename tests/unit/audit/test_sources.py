import pytest

from mcplock.audit.sources import audit_source

SHA = "0123456789abcdef0123456789abcdef01234567"


def found(content):
    return [(finding.rule, finding.pointer) for finding in audit_source(content)]


def run(line):
    command, *args = line if isinstance(line, list) else line.split()
    return {"type": "stdio", "command": command, "args": args}


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("npx -y pkg", 1),
        ("npx pkg", 0),
        ("npx -y @scope/pkg", 1),
        ("npx -y @scope/pkg@latest --flag", 1),
        ("npx -y pkg@^1.2.3", 1),
        ("npx -y pkg@1", 1),
        ("npx -y pkg@1.x", 1),
        ("npx --yes -- pkg", 2),
        ("npx -y -p pkg other", 2),
        ("npx -y --package=pkg other", 1),
        ("npx --registry https://r.example -y pkg", 3),
        ("npx -y github:user/repo", 1),
        ("npx -y user/repo#main", 1),
        ("npx -y git+https://example.com/r.git", 1),
        ("npx.cmd -y pkg", 1),
        ("/usr/local/bin/npx -y pkg", 1),
        (r"C:\nodejs\npx.cmd -y pkg", 1),
        ("cmd /c npx -y pkg", 3),
        (["cmd.exe", "/d", "/s", "/c", "npx -y pkg"], 3),
        ("cmd /c npx -y pkg /data", 3),
        ("env A=b npx -y pkg", 3),
        ("npm exec -y pkg", 2),
        ("pnpm dlx pkg", 1),
        ("bunx pkg", 0),
        ("deno run -A npm:pkg", 2),
        ("uvx pkg", 0),
        ("uvx pkg@latest", 0),
        ("uvx pkg>=1", 0),
        ("uvx pkg==1.*", 0),
        ("uvx pkg[extra]", 0),
        ("uvx --from pkg tool", 1),
        ("uvx --from git+https://example.com/r tool", 1),
        ("uvx --from git+https://example.com/r@v1 tool", 1),
        ("uvx --python 3.12 --with more==1.0 pkg", 4),
        ("uvx --with more pkg==1.0", 1),
        ("uv tool run pkg", 2),
        ("uv run --with pkg server.py", 2),
        ("pipx run pkg", 1),
        ("docker run -i --rm image", 3),
        ("docker run -i --rm -e KEY -v /a:/b image:latest", 7),
        ("docker run -it --name x host:5000/image", 4),
        ("docker run image:v1 run", 1),
        ("podman run --env=A image:main", 2),
        ("go run example.com/m@latest", 1),
        ("op run -- npx -y pkg", 4),
        (["bash", "-lc", "cd x && npx -y pkg"], 1),
        (["sh", "-c", "FOO=1; exec uvx pkg"], 1),
        (["sh", "-c", "FOO=1 BAR= npx -y pkg"], 1),
    ],
    ids=str,
)
def test_a_floating_package_is_found(line, place):
    floating = [row for row in found(run(line)) if row[0] == "unpinned"]
    assert floating == [("unpinned", f"/args/{place}")]


@pytest.mark.parametrize(
    "line",
    [
        "npx -y pkg@1.2.3",
        "npx -y @scope/pkg@1.2.3-beta.1",
        "npx -y -p pkg@1.2.3 other",
        "npx --no-install pkg",
        "npx -y ./local",
        f"npx -y git+https://example.com/r.git#{SHA}",
        "uvx pkg==1.2.3",
        "uvx pkg@1.2.3",
        "uvx pkg[extra]==1.2.3",
        "uvx --from pkg==1.2.3 tool",
        f"uvx --from git+https://example.com/r@{SHA} tool",
        "uvx --from . tool",
        "uvx --exclude-newer 2026-01-01 pkg",
        "uv run server.py",
        "uv --directory x run server.py",
        "pipx run --spec pkg==1.0 tool",
        "docker run -i --rm image:1.2.3",
        "docker run -i --pull always image@sha256:" + "0" * 64,
        "docker ps",
        "python server.py",
        "node build/index.js --package x",
        "go run .",
        "npx",
        "",
    ],
)
def test_a_fixed_or_local_one_is_not(line):
    assert found(run(line) if line else {"type": "stdio"}) == []


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/mcp",
        "HTTP://EXAMPLE.com",
        "http://localhost.example.com/",
        "http://127.0.0.1@example.com/",
        "http://10.0.0.1/",
        "http://[::2]/",
        "http://[x",
        "http://example.com\\@127.0.0.1/",
        "http://host.docker.internal/",
        "http://${HOST}/mcp",
        "http://${HOST:-example.com}:80/mcp",
        "${URL:-http://example.com}",
    ],
)
def test_plain_http_is_found(url):
    assert found({"type": "http", "url": url}) == [("plain-http", "/url")]
    assert ("plain-http", "/args/1") in found(run(["mcp-remote", "x", url]))


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/mcp",
        "http://localhost:3000/mcp",
        "http://mcp.localhost/",
        "http://127.0.0.1:1/",
        "http://127.8.9.1/",
        "http://[::1]:8080/mcp",
        "http://[::ffff:127.0.0.1]/mcp",
        "http://${HOST:-localhost}:${PORT:-3000}/mcp",
        "${URL}",
        "",
    ],
)
def test_https_and_loopback_are_not(url):
    assert found({"type": "http", "url": url}) == []


def test_a_message_hides_nothing():
    (finding,) = audit_source(run(["npx", "pk\x1bg"]))
    assert finding.message.startswith("pk⟨U+001B⟩g is not pinned")
