"""One app as MCP over HTTP: the fast path, the SDK behind it, and the control endpoints."""
