"""How Hypothesis runs here: no timed assertions, on a machine that others use too."""

from hypothesis import HealthCheck, settings

settings.register_profile("mcplock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("mcplock")
