from tests.unit.live.conftest import _impatient, project, serving  # noqa: F401 - fixtures
