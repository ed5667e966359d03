"""The tool server of verifiers: verifiers hands a harness no bearer, so calls are forwarded with each trial's own."""

from typing import Any, cast

import verifiers.v1 as vf
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import CallToolResult, Tool
from mcp_farm_client.tools import joint_name
from pydantic import Field
from verifiers.v1.harnesses.utils.mcp import mcp_client


class FarmState(vf.State):
    """A trial's MCP servers by app, and app and tool of each name that the model sees."""

    servers: dict[str, dict[str, Any]] = Field(default_factory=dict)
    names: dict[str, tuple[str, str]] = Field(default_factory=dict)


class FarmToolset(vf.Toolset[vf.SharedToolsetConfig, FarmState]):
    """Lists and calls the tools of the calling trial's episode."""

    TOOL_PREFIX = None

    def register(self, mcp: MCPServer) -> None:
        """Replace the server's own methods, as every trial has other tools."""
        server = cast(Any, mcp)
        server.list_tools, server.call_tool = self._with_state(self.list_tools), self._with_state(self.call_tool)

    async def list_tools(self) -> list[Tool]:
        """List the tools of every app, named APP__TOOL."""
        found = {}
        for app, server in self.state.servers.items():
            async with mcp_client(server) as client:
                found |= {joint_name(app, tool.name): (app, tool) for tool in (await client.list_tools()).tools}
        self.state.names = {name: (app, tool.name) for name, (app, tool) in found.items()}
        return [tool.model_copy(update={"name": name}) for name, (_, tool) in found.items()]

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Context | None = None) -> CallToolResult:
        """Forward one call."""
        app, tool = self.state.names[name]
        async with mcp_client(self.state.servers[app]) as client:
            return await client.call_tool(tool, arguments)


if __name__ == "__main__":
    FarmToolset.run()
