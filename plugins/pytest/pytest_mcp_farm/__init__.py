"""Test an agent on simulated MCP servers: a world of its own for each test, and assertions on what it changed."""

from pytest_mcp_farm.errors import FarmProblem, ToolRefused

__version__ = "0.1.0"
__all__ = ["FarmProblem", "ToolRefused", "__version__"]
