"""The client of a server of tasks (``mcp_farm_openenv.server``); it needs no mcp-farm."""

from typing import Any

from openenv.core.generic_client import GenericEnvClient


class FarmClient(GenericEnvClient):
    """One episode at a time: ``await reset(task=…, seed=…)``, ``await call(…)``, ``await submit(…)``."""

    async def tools(self) -> list[dict[str, Any]]:
        """Return the tools, each with ``name``, ``description`` and ``input_schema``."""
        return list((await self.step({"type": "list_tools"})).observation["tools"])

    async def call(self, tool: str, arguments: dict[str, Any] | None = None) -> str:
        """Call a tool and return its text."""
        done = await self.step({"type": "call_tool", "tool_name": tool, "arguments": arguments or {}})
        return str(done.observation["result"])

    async def submit(self, answer: str) -> tuple[float, dict[str, Any]]:
        """End the task; return ``acc``, and outcome, checkpoints and damage."""
        done = await self.step({"type": "call_tool", "tool_name": "submit", "arguments": {"answer": answer}})
        return float(done.reward or 0.0), done.observation["result"]
