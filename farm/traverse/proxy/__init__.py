"""A recording proxy: it passes bytes between a client and a real server unchanged while a second process records them.

The relays do not parse MCP. The recorder does, in its own process, so it never delays a byte.
"""
