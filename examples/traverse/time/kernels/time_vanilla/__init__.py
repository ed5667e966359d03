"""Time Vanilla: written by farm synth from recorded calls; read it before you rely on it."""

from farm.appkit import App, Envelope, Json, by_output_schema
from farm.appkit.dialects import Pydantic

from .tools import TOOLS

APP = App(
    name="time_vanilla",
    title="Time Vanilla",
    category="other",
    dialect=Pydantic(sdk="2.3.0", pydantic="2.14"),
    tools=TOOLS,
    envelope=Envelope(json=Json(), is_error=False, structured=by_output_schema),
    hidden=True,
)
