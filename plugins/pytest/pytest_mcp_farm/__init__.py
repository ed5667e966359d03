"""Test an agent on simulated MCP servers: a world of its own for each test, and assertions on what it changed.

``McpFarm`` is what the fixture ``mcp_farm`` gives, ``FarmTask`` what ``farm_task`` gives, ``McpFarmModel`` what
``mcp_farm_model`` gives.
"""

from typing import TYPE_CHECKING

from pytest_mcp_farm.errors import FarmProblem, ToolRefused

if TYPE_CHECKING:
    from pytest_mcp_farm.farm import FarmTask, McpFarm
    from pytest_mcp_farm.model import McpFarmModel, ModelRequest, ScriptedModel
    from pytest_mcp_farm.world import Call, Calls, Clock, Person, World
else:

    def __getattr__(name: str) -> object:
        """Load what a test names, so that tests that name nothing load nothing."""
        from importlib import import_module

        for module, names in _LATER.items():
            if name in names:
                return getattr(import_module(f"{__name__}.{module}"), name)
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")

    _LATER = {
        "farm": ("FarmTask", "McpFarm"),
        "model": ("McpFarmModel", "ModelRequest", "ScriptedModel"),
        "world": ("Call", "Calls", "Clock", "Person", "World"),
    }

__version__ = "0.1.0"
__all__ = [
    "Call",
    "Calls",
    "Clock",
    "FarmProblem",
    "FarmTask",
    "McpFarm",
    "McpFarmModel",
    "ModelRequest",
    "Person",
    "ScriptedModel",
    "ToolRefused",
    "World",
    "__version__",
]
