"""Transports for MCP messages to a real server: stdio, HTTP and SSE, without validation."""
