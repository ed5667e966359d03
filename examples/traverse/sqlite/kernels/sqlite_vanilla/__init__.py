"""Sqlite Vanilla: written by farm synth from recorded calls; read it before you rely on it."""

from farm.appkit import App, Envelope, Json
from farm.appkit.dialects import GenericJsonSchema

from .tools import TOOLS

APP = App(
    name="sqlite_vanilla",
    title="Sqlite Vanilla",
    category="other",
    dialect=GenericJsonSchema(),
    tools=TOOLS,
    envelope=Envelope(json=Json(), is_error=False),
    hidden=True,
)
