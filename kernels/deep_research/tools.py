"""The server's one tool, which answers whatever name is called."""

from farm.appkit import Tool

from . import research

TOOLS = (Tool("deep-research", research.deep_research),)
