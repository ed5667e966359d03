"""A server of the SDK, for clients of both eras."""

from __future__ import annotations

from fastmcp import FastMCP

server = FastMCP("sdk")


@server.tool
def add(a: int, b: int = 1) -> int:
    """Add two numbers."""
    return a + b


if __name__ == "__main__":
    server.run(show_banner=False)
