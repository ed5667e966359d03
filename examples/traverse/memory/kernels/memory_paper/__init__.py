"""Memory Paper: written by farm synth from recorded calls; read it before you rely on it."""

from farm.appkit import App, Envelope, JavaScriptJson, by_output_schema
from farm.appkit.dialects import Zod4

from .tools import TOOLS

APP = App(
    name="memory_paper",
    title="Memory Paper",
    category="other",
    dialect=Zod4(sdk="1.32.2", zod="4.6.7"),
    tools=TOOLS,
    envelope=Envelope(json=JavaScriptJson(indented=True), structured=by_output_schema),
    hidden=True,
)
