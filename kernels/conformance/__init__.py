"""What the MCP conformance suite asks a server for: fixed tools, prompts and resources. Not a simulated service."""

from farm.appkit import App
from farm.appkit.dialects import Plain

from .tools import TOOLS

APP = App(
    name="conformance",
    title="Conformance fixture",
    category="fixture",
    dialect=Plain(),
    tools=TOOLS,
    hidden=True,
)
