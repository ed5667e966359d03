"""The farm's own server beside the apps: an agent waits with it, and asks the person it works for."""

from farm.appkit import App, Envelope, Json, Resource, Worded
from farm.appkit.dialects import GenericJsonSchema

from .tools import TOOLS
from .user import user_rows
from .waiting import read_notices

APP = App(
    name="clock",
    title="Clock",
    category="harness",
    dialect=GenericJsonSchema(),
    tools=TOOLS,
    resources=(Resource("clock://notices", read_notices),),
    envelope=Envelope(json=Json(indented=True), refusal=Worded("{message}")),
    hidden=True,
    companion=True,
    user_rows=user_rows,
)
