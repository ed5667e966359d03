"""Amap (高德地图), as amap-mcp-server shows it: sixteen tools that only read, on the gazetteer's places."""

from farm.appkit import App, Envelope, Json
from farm.appkit.dialects import Pydantic

from .errors import in_band
from .tools import TOOLS

APP = App(
    name="amap",
    title="Amap",
    called=("高德",),
    category="maps",
    dialect=Pydantic(sdk="1.8.1", pydantic="2.11"),
    tools=TOOLS,
    envelope=Envelope(json=Json(indented=True), is_error=False, refusal=in_band),
    reference="gazetteer",
    menus={
        # What an assistant beside a person needs most, most needed first.
        "desktop": (
            "maps_text_search",
            "maps_direction_transit_integrated_by_address",
            "maps_weather",
            "maps_direction_driving_by_address",
            "maps_search_detail",
            "maps_around_search",
            "maps_direction_walking_by_address",
            "maps_geo",
            "maps_distance",
            "maps_regeocode",
        ),
    },
)
