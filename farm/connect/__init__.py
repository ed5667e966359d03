"""Connecting the MCP client a person has: its configuration, the tools it is shown, and a card to begin with."""
