"""The tool server of verifiers: verifiers hands a harness no bearer, so calls are forwarded with each trial's own."""

from typing import Any, cast

import verifiers.v1 as vf
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import CallToolResult, Tool
from pydantic import Field
from verifiers.v1.harnesses.utils.mcp import mcp_client


class FarmState(vf.State):
    """The MCP server of a trial's episode, which has the tools of all its apps: ``url`` and ``headers``."""

    server: dict[str, Any] = Field(default_factory=dict)


class FarmToolset(vf.Toolset[vf.SharedToolsetConfig, FarmState]):
    """Lists and calls the tools of the calling trial's episode."""

    TOOL_PREFIX = None

    def register(self, mcp: MCPServer) -> None:
        """Replace the server's own methods, as every trial has other tools."""
        server = cast(Any, mcp)
        server.list_tools, server.call_tool = self._with_state(self.list_tools), self._with_state(self.call_tool)

    async def list_tools(self) -> list[Tool]:
        """List the tools, named APP__TOOL."""
        async with mcp_client(self.state.server) as client:
            return list((await client.list_tools()).tools)

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Context | None = None) -> CallToolResult:
        """Forward one call."""
        async with mcp_client(self.state.server) as client:
            return await client.call_tool(name, arguments)


if __name__ == "__main__":
    FarmToolset.run()
