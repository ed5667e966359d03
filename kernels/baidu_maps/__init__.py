"""Baidu Maps (百度地图), as mcp-server-baidu-maps shows it: ten tools that only read, on the gazetteer's places."""

from farm.appkit import App, Envelope
from farm.appkit.dialects import Jsonschema

from .tools import TOOLS

APP = App(
    name="baidu_maps",
    title="Baidu Maps",
    called=("百度地图",),
    category="maps",
    dialect=Jsonschema(sdk="1.30.0"),
    tools=TOOLS,
    # The API's body goes through as it is served.
    envelope=Envelope(is_error=False),
    reference="gazetteer",
    menus={
        # What an assistant beside a person needs most, most needed first.
        "desktop": (
            "map_search_places",
            "map_directions",
            "map_weather",
            "map_place_details",
            "map_geocode",
            "map_directions_matrix",
            "map_road_traffic",
            "map_reverse_geocode",
            "map_poi_extract",
            "map_ip_location",
        ),
    },
)
