"""Sqlite Paper: written by farm synth from recorded calls; read it before you rely on it."""

from farm.appkit import App, Envelope, Json, Worded
from farm.appkit.dialects import Jsonschema

from .tools import TOOLS

APP = App(
    name="sqlite_paper",
    title="Sqlite Paper",
    category="other",
    dialect=Jsonschema(sdk="1.30.0"),
    tools=TOOLS,
    envelope=Envelope(json=Json(indented=True), is_error=False, refusal=Worded("{message}", is_error=False)),
    hidden=True,
)
