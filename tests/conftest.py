"""The suite says the same wherever it runs: on a desk, in CI, inside a git hook."""

import os

_SURROUNDINGS = (
    *("CI", "GITHUB_ACTIONS", "GITLAB_CI", "JENKINS_URL", "TEAMCITY_VERSION", "TF_BUILD"),
    *("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_BASE_REF"),
    *("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "PAGER"),
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_CONFIG_PARAMETERS"),
)
"""Variables that change what programs print, write or take for their repository."""

for name in _SURROUNDINGS:  # at import: before fixtures of a module's scope copy the environment
    os.environ.pop(name, None)
