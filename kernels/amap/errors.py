"""What the REST API refuses with, and what the server itself says; both look like successes on the wire."""

from farm.appkit import Answer, VendorError


class InvalidParams(VendorError):
    """INVALID_PARAMS"""

    code = "20000"


class MissingRequiredParams(VendorError):
    """MISSING_REQUIRED_PARAMS"""

    code = "20001"


class OutOfService(VendorError):
    """OUT_OF_SERVICE"""

    code = "20800"


class NoRoadsNearby(VendorError):
    """NO_ROADS_NEARBY"""

    code = "20801"


class OverDirectionRange(VendorError):
    """OVER_DIRECTION_RANGE"""

    code = "20803"


class EngineResponseDataError(VendorError):
    """ENGINE_RESPONSE_DATA_ERROR"""

    code = "30001"


class Refused(VendorError):
    """UNKNOWN_ERROR"""

    code = "20003"


class ServerError(VendorError):
    """The server's own sentence, without a prefix."""


class NoForecast(ServerError):
    """No forecast data available"""

    code = "no_forecast"


class NoPlace(ServerError):
    """No POI found"""

    code = "no_poi"


class NoRoute(ServerError):
    """No route data available"""

    code = "no_route"


class AddressNotFound(ServerError):
    """Failed to geocode address"""

    code = "address_not_found"


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
