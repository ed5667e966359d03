"""Slack, as the Zencoder MCP server shows it: eight tools over one workspace."""

from farm.app import App
from farm.dialects import Zod3
from farm.envelope import Envelope

from . import errors
from .tools import TOOLS

APP = App(
    name="slack",
    title="Slack",
    category="communication",
    dialect=Zod3(),
    tools=TOOLS,
    ids={"im": "D{caps36:10}"},
    envelope=Envelope(refusal=errors.answer),
)
