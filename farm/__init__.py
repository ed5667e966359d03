"""mcp-farm: simulated MCP servers with private, resettable state."""

__version__ = "0.2.0"
