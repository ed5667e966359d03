"""The farm's own server beside the apps: an agent waits with it, and asks the person it works for."""

from farm.appkit import App, Envelope, Json, Worded
from farm.appkit.dialects import GenericJsonSchema

from .tools import TOOLS
from .user import user_rows

APP = App(
    name="clock",
    title="Clock",
    category="harness",
    dialect=GenericJsonSchema(),
    tools=TOOLS,
    envelope=Envelope(json=Json(indented=True), refusal=Worded("{message}")),
    hidden=True,
    companion=True,
    user_rows=user_rows,
)
