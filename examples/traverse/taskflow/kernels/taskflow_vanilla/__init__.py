"""Taskflow Vanilla: written by farm synth from recorded calls; read it before you rely on it."""

from farm.appkit import App, Envelope, Json, by_output_schema
from farm.appkit.dialects import GenericJsonSchema

from .tools import TOOLS

APP = App(
    name="taskflow_vanilla",
    title="Taskflow Vanilla",
    category="other",
    dialect=GenericJsonSchema(),
    tools=TOOLS,
    envelope=Envelope(json=Json(), is_error=False, structured=by_output_schema),
    hidden=True,
)
