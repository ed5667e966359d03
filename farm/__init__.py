"""mcp-farm: simulated MCP servers with private, resettable state."""

__version__ = "0.1.0"
