"""Connects a person's MCP client: its configuration, the tools on its menu, and a card to begin with."""
