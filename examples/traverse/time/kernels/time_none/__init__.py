"""Time None: written by farm synth from recorded calls; read it before you rely on it."""

from farm.appkit import App, Envelope, Json, Worded, by_output_schema
from farm.appkit.dialects import Pydantic

from .tools import TOOLS

APP = App(
    name="time_none",
    title="Time None",
    category="other",
    dialect=Pydantic(sdk="2.3.0", pydantic="2.14"),
    tools=TOOLS,
    envelope=Envelope(json=Json(indented=True), is_error=False, structured=by_output_schema, refusal=Worded("Error executing tool {tool}: {message}")),
    hidden=True,
)
