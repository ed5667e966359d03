"""Test an agent on simulated MCP servers: a private world for each test, and assertions on its changes.

The fixture ``mcp_farm`` returns an ``McpFarm``, ``farm_task`` a ``FarmTask``, and ``mcp_farm_model`` an
``McpFarmModel``.
"""

from typing import TYPE_CHECKING

from pytest_mcp_farm._client import __version__
from pytest_mcp_farm.errors import McpFarmError, ToolRefusedError

if TYPE_CHECKING:
    from pytest_mcp_farm.cassette import Cassette
    from pytest_mcp_farm.farm import FarmTask, McpFarm, open_farm
    from pytest_mcp_farm.model import McpFarmModel, ModelRequest, ScriptedModel
    from pytest_mcp_farm.world import Call, Calls, Clock, Person, World
else:

    def __getattr__(name: str) -> object:
        """Import a public name on first use, so that tests that use none load nothing."""
        from importlib import import_module

        for module, names in _LATER.items():
            if name in names:
                return getattr(import_module(f"{__name__}.{module}"), name)
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")

    _LATER = {
        "cassette": ("Cassette",),
        "farm": ("FarmTask", "McpFarm", "open_farm"),
        "model": ("McpFarmModel", "ModelRequest", "ScriptedModel"),
        "world": ("Arrival", "Call", "Calls", "Clock", "Fault", "Person", "World"),
    }

__all__ = [
    "Arrival",
    "Call",
    "Calls",
    "Cassette",
    "Clock",
    "FarmTask",
    "Fault",
    "McpFarm",
    "McpFarmError",
    "McpFarmModel",
    "ModelRequest",
    "Person",
    "ScriptedModel",
    "ToolRefusedError",
    "World",
    "__version__",
    "open_farm",
]
