"""Guild Paper: written by farm synth from recorded calls; read it before you rely on it."""

from farm.appkit import App, Envelope, JavaScriptJson
from farm.appkit.dialects import Jsonschema

from .tools import TOOLS

APP = App(
    name="guild_paper",
    title="Guild Paper",
    category="other",
    dialect=Jsonschema(),
    tools=TOOLS,
    envelope=Envelope(json=JavaScriptJson(indented=True), is_error=False),
    hidden=True,
)
