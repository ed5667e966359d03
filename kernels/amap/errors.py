"""What the REST API refuses with, and what the server itself says; both look like successes on the wire."""

from farm.appkit import Answer, VendorError

InvalidParams = VendorError.define("20000", "INVALID_PARAMS")
MissingRequiredParams = VendorError.define("20001", "MISSING_REQUIRED_PARAMS")
OutOfService = VendorError.define("20800", "OUT_OF_SERVICE")
NoRoadsNearby = VendorError.define("20801", "NO_ROADS_NEARBY")
OverDirectionRange = VendorError.define("20803", "OVER_DIRECTION_RANGE")
EngineResponseDataError = VendorError.define("30001", "ENGINE_RESPONSE_DATA_ERROR")
Refused = VendorError.define("20003", "UNKNOWN_ERROR")


class ServerError(VendorError):
    """The server's own sentence, without a prefix."""


NoForecast = ServerError.define("no_forecast", "No forecast data available")
NoPlace = ServerError.define("no_poi", "No POI found")
NoRoute = ServerError.define("no_route", "No route data available")
AddressNotFound = ServerError.define("address_not_found", "Failed to geocode address")


_WALKING, _DRIVING = "Direction Walking", "Direction Driving"
_CYCLING, _TRANSIT = "Direction bicycling", "Direction Transit Integrated"
_ASKED = {
    "maps_regeocode": "RGeocoding",
    "maps_geo": "Geocoding",
    "maps_ip_location": "IP Location",
    "maps_weather": "Get weather",
    "maps_bicycling_by_address": _CYCLING,
    "maps_bicycling_by_coordinates": _CYCLING,
    "maps_direction_walking_by_address": _WALKING,
    "maps_direction_walking_by_coordinates": _WALKING,
    "maps_direction_driving_by_address": _DRIVING,
    "maps_direction_driving_by_coordinates": _DRIVING,
    "maps_direction_transit_integrated_by_address": _TRANSIT,
    "maps_direction_transit_integrated_by_coordinates": _TRANSIT,
    "maps_distance": "Direction Distance",
    "maps_text_search": "Text Search",
    "maps_around_search": "Around Search",
    "maps_search_detail": "Get poi detail",
}


def in_band(tool: str, error: VendorError) -> Answer:
    """Return a refusal as the server has it: a success whose body is ``{"error": …}``."""
    if isinstance(error, ServerError):
        return Answer({"error": error.message})
    asked = _ASKED[tool]
    # The bicycling API answers with errcode and errmsg, and the server looks for info and infocode.
    info = None if asked == _CYCLING and not isinstance(error, Refused) else error.message
    return Answer({"error": f"{asked} failed: {info}"})
