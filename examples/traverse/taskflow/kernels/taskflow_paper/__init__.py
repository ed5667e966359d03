"""Taskflow Paper: written by farm synth from recorded calls; read it before you rely on it."""

from farm.appkit import App, Envelope, Json, by_output_schema
from farm.appkit.dialects import FastMcp

from .tools import TOOLS

APP = App(
    name="taskflow_paper",
    title="Taskflow Paper",
    category="other",
    dialect=FastMcp(sdk="2.3.0", pydantic="2.14"),
    tools=TOOLS,
    envelope=Envelope(json=Json(indented=True), is_error=False, structured=by_output_schema),
    hidden=True,
)
