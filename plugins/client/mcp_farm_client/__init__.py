"""Trials of tasks on a running mcp-farm, for harnesses that cannot install mcp-farm beside them.

``Play`` is one trial, ``tasks`` lists a suite's tasks. Both have the names of ``farm.play`` in mcp-farm. Only the
standard library is used. Other packages may contain a copy of this one, so its modules import each other relatively.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .errors import McpFarmError
    from .play import Play, Server
    from .task_cards import TaskCard, tasks
    from .tools import ToolText
else:

    def __getattr__(name: str) -> object:
        """Import a public name on first use, so that a package with a copy loads only the modules that it uses."""
        from importlib import import_module

        for module, names in _LATER.items():
            if name in names:
                return getattr(import_module(f"{__name__}.{module}"), name)
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")

    _LATER = {
        "errors": ("McpFarmError",),
        "play": ("Play", "Server"),
        "task_cards": ("TaskCard", "tasks"),
        "tools": ("ToolText",),
    }

__version__ = "0.2.0"
__all__ = ["McpFarmError", "Play", "Server", "TaskCard", "ToolText", "__version__", "tasks"]
