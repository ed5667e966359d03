"""A recording proxy: bytes pass between a client and a real server as they are, and a process beside writes them down.

The relays know no MCP; the recorder's process, which does, never stands in the way of a byte.
"""
