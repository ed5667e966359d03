"""Amap (高德地图), as amap-mcp-server shows it: sixteen tools that only read, on the gazetteer's places."""

from farm.app import App
from farm.dialects import Pydantic
from farm.envelope import Envelope, Json

from .errors import in_band
from .tools import TOOLS

APP = App(
    name="amap",
    title="Amap",
    category="maps",
    dialect=Pydantic(sdk="1.8.1", pydantic="2.11"),
    tools=TOOLS,
    envelope=Envelope(json=Json(indented=True), is_error=False, refusal=in_band),
    reference="gazetteer",
)
