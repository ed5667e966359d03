"""What the API refuses with, under its status, and what the server says itself.

The server reads the API's ``message``. Two of the API's services write ``msg`` instead; of what they refuse an agent
gets no more than "unknown error". (inferred) marks a status or words that nobody recorded.
"""

from farm.appkit import VendorError


class ApiError(VendorError):
    """The API answers with a status other than 0. The docstring is its ``message``, None where it has none."""

    said: str | None

    def __init__(self, **details: object) -> None:
        self.said = (type(self).__doc__ or "").format(**details)
        super().__init__(f"API response error: {self.said}", **details)


class Unworded(ApiError):
    """unknown error"""

    def __init__(self) -> None:
        super().__init__()
        self.said = None


NoResult = Unworded.define(1, "unknown error")
NoAddress = Unworded.define(2, "unknown error")
InvalidParameter = ApiError.define(2, "Parameter Invalid")
WrongParameter = ApiError.define(2, "参数错误")
ServiceOff = ApiError.define(240, "APP 服务被禁用")


class NoService(ApiError):  # (inferred) for a kind of route or traffic that there is not
    """服务不存在"""

    code = 260


class InvalidAddress(VendorError):
    """The server's client puts no control character into an address, and asks for nothing."""

    code = "invalid_url"

    def __init__(self, character: str, position: int) -> None:
        super().__init__(f"Invalid non-printable ASCII character in URL, {character!r} at position {position}.")


NotLocated = ApiError.define(1, "Internal Service Error:ip[{ip}] loc failed")


class NoTransit(ApiError):  # (inferred), as NoRoute
    """没有公交方案"""

    code = 1001


NoRoute = ApiError.define(2001, "没有路线")


class GeocodingFailed(VendorError):
    """An end of a route is not found; ``name`` is the argument's, ``said`` what the API says."""

    code = "geocoding_failed"

    def __init__(self, name: str, said: str | None) -> None:
        reason = said or f"input `{name}` invaild, please reinput more detail address"
        super().__init__(f"Geocoding API error: {reason}")


InvalidIsChina = VendorError.define(
    "invalid_is_china", "input `is_china` invaild, please reinput `is_china` with `true` or `false`"
)
ResultTimeout = VendorError.define("timeout", "Timeout to get the result")
