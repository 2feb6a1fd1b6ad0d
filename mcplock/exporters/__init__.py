"""Approved definitions in the shape that a provider or a client takes: a module for each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mcplock.exporters import mcp
from mcplock.exporters.model import Exported, Loss, Tool
from mcplock.exported import exported_names
from mcplock.jsontext import Json


@dataclass(frozen=True, slots=True)
class Exporter:
    """One format.

    exported: a tool and the name it is to bear -> the tool in this format; document: all
    of them -> what the file holds.
    """

    exported: Callable[[Tool, str], Exported]
    document: Callable[[Sequence[Exported]], Json]


FORMATS: Mapping[str, Exporter] = {"mcp": Exporter(mcp.exported, mcp.document)}
"""By the name that `--format` takes."""

__all__ = ["FORMATS", "Exported", "Exporter", "Loss", "Tool", "exported_names"]
