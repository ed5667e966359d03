"""Filesystem Vanilla: written by farm synth from recorded calls; read it before you rely on it."""

from farm.appkit import App, Envelope, Json, by_output_schema
from farm.appkit.dialects import GenericJsonSchema

from .tools import TOOLS

APP = App(
    name="filesystem_vanilla",
    title="Filesystem Vanilla",
    category="other",
    dialect=GenericJsonSchema(),
    tools=TOOLS,
    ids={"temporary": "{hex:32}"},
    envelope=Envelope(json=Json(), structured=by_output_schema),
    hidden=True,
)
