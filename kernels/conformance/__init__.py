"""What the MCP conformance suite asks a server for: fixed tools, prompts and resources. Not a simulated service."""

from farm.appkit import App
from farm.appkit.dialects import GenericJsonSchema

from .tools import TOOLS

APP = App(
    name="conformance",
    title="Conformance fixture",
    category="fixture",
    dialect=GenericJsonSchema(),
    tools=TOOLS,
    hidden=True,
)
