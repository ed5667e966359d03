"""Every tool of the server, in its order. All of them only read."""

from farm.appkit import Tool

from . import addresses, directions, distances, places, transits, weather

TOOLS = (
    Tool("maps_regeocode", addresses.regeocode),
    Tool("maps_geo", addresses.geocode),
    Tool("maps_ip_location", addresses.locate_ip),
    Tool("maps_weather", weather.forecast),
    Tool("maps_bicycling_by_address", directions.cycle_by_address),
    Tool("maps_bicycling_by_coordinates", directions.cycle),
    Tool("maps_direction_walking_by_address", directions.walk_by_address),
    Tool("maps_direction_walking_by_coordinates", directions.walk),
    Tool("maps_direction_driving_by_address", directions.drive_by_address),
    Tool("maps_direction_driving_by_coordinates", directions.drive),
    Tool("maps_direction_transit_integrated_by_address", transits.travel_by_address),
    Tool("maps_direction_transit_integrated_by_coordinates", transits.travel),
    Tool("maps_distance", distances.measure),
    Tool("maps_text_search", places.search),
    Tool("maps_around_search", places.search_around),
    Tool("maps_search_detail", places.show),
)
