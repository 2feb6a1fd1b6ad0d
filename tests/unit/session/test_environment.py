import pytest

from mcplock.session.environment import inherited_secrets, server_environment

FIXED = {"TZ": "UTC", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}


@pytest.mark.parametrize(
    "name",
    [
        *("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "TMPDIR", "DOCKER_HOST"),
        *("HTTP_PROXY", "https_proxy", "ALL_PROXY", "no_proxy"),
        *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"),
        *("npm_config_registry", "NPM_CONFIG_CACHE", "UV_INDEX_URL", "PIP_CERT", "XDG_DATA_HOME"),
    ],
)
def test_what_programs_and_launchers_need_is_kept(name: str) -> None:
    assert server_environment({name: "x"}, {}, platform="linux") == {name: "x", **FIXED}


@pytest.mark.parametrize(
    "name",
    [
        *("AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "LD_PRELOAD", "NODE_OPTIONS", "PYTHONPATH"),
        *(
            "path",
            "Home",
            "LANG",
            "HTTP_PROXY_USER",
            "MY_UV_X",
            "VIRTUAL_ENV",
            "UV_PUBLISH_TOKEN",
            "SystemRoot",
        ),
    ],
)
def test_nothing_else_is(name: str) -> None:
    assert server_environment({name: "x"}, {}, platform="linux") == FIXED


def test_exported_shell_functions_are_code_and_left_out() -> None:
    assert server_environment({"PATH": "() { :; }"}, {}, platform="linux") == FIXED


def test_the_manifest_wins() -> None:
    declared = {"TZ": "CET", "PATH": "/mine", "OTHER": "1"}
    found = server_environment({"PATH": "/bin", "TZ": "EST"}, declared, platform="linux")
    assert found == {**FIXED, **declared}


def test_names_have_one_case_on_windows() -> None:
    environ = {"Path": "C:\\bin", "SystemRoot": "C:\\Windows", "HOME": "x", "Uv_Cache": "x"}
    found = server_environment(environ, {"PATH": "D:\\mine"}, platform="win32")
    assert found == {**FIXED, "SYSTEMROOT": "C:\\Windows", "PATH": "D:\\mine"}


def test_the_result_does_not_depend_on_the_rest() -> None:
    quiet = server_environment({"PATH": "/bin"}, {}, platform="linux")
    noisy = {"PATH": "/bin", "COLUMNS": "80", "CI": "1", "LC_ALL": "de_DE", "PYTHONUTF8": "0"}
    assert server_environment(noisy, {}, platform="linux") == quiet


@pytest.mark.parametrize(
    ("name", "value", "secrets"),
    [
        ("npm_config__auth", "npm-auth-4711", {"npm-auth-4711"}),
        ("npm_config_//npm.example/:_authToken", "npm-auth-4711", {"npm-auth-4711"}),
        ("PIP_INDEX_URL", "https://me:pass%40word@h/simple", {"me:pass%40word", "me:pass@word"}),
        ("HTTP_PROXY", "http://user-or-token@h:1", {"user-or-token"}),
        ("HTTP_PROXY", "http://h:1", set()),
        ("UV_CACHE_DIR", "/home/me/cache-of-uv", set()),
        ("HOME", "/home/token-of-me", set()),
        ("GITHUB_TOKEN", "not-inherited", set()),
    ],
)
def test_secrets_that_are_inherited_are_known(name: str, value: str, secrets: set[str]) -> None:
    found = inherited_secrets({name: value}, {}, platform="linux")
    assert secrets <= found.keys() and bool(found) == bool(secrets)
    assert set(found.values()) <= {f"${{{name}}}"}
    assert inherited_secrets({name: value}, {name: "else"}, platform="linux") == {}
