"""Run an example with a model that makes one call, once for each call it is given.

    python -m tests.real.frameworks.run FRAMEWORK < {"block": CODE, "calls": [[NAME, ARGUMENTS], …]}

It runs in the framework's own environment, so it needs nothing else, and prints a JSON list
with what the model was sent and heard each time.
"""

import contextlib
import io
import json
import sys
from dataclasses import asdict, dataclass, field
from importlib import import_module
from typing import Any


@dataclass
class Script:
    """What a model does: it makes one call, hears how it ended, and says "done".

    sent: the tools it was given, as the framework gives them to a model, by name;
    heard: how the framework marks the end of the call, and the text of it.
    """

    name: str
    arguments: dict[str, Any]
    sent: dict[str, Any] = field(default_factory=dict)
    heard: tuple[str, str] | None = None

    def give(self, name: str, description: str, schema: Any) -> None:
        self.sent[name] = {"description": description, "schema": schema}


def main() -> None:
    framework = import_module(f"tests.real.frameworks.{sys.argv[1]}")
    given = json.load(sys.stdin)
    scripts = [Script(name, arguments) for name, arguments in given["calls"]]
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        for script in scripts:
            exec(given["block"], {"model": framework.model(script)})
    print(json.dumps({"said": said.getvalue(), "scripts": [asdict(script) for script in scripts]}))


if __name__ == "__main__":
    main()
