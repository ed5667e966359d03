"""Every tool of the server, in its order; none of them changes anything."""

from farm.appkit import Tool

from . import addresses, directions, extracts, locations, matrices, places, traffic, weather

TOOLS = (
    Tool("map_geocode", addresses.geocode),
    Tool("map_reverse_geocode", addresses.reverse_geocode),
    Tool("map_search_places", places.search),
    Tool("map_place_details", places.show),
    Tool("map_directions_matrix", matrices.measure),
    Tool("map_directions", directions.find),
    Tool("map_weather", weather.show),
    Tool("map_ip_location", locations.locate),
    Tool("map_road_traffic", traffic.show),
    Tool("map_poi_extract", extracts.extract),
)
