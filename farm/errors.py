"""The farm's own failures. What a simulated service says is a ``VendorError`` and lives in ``farm.kernel``."""

from __future__ import annotations

from typing import Any

Headers = tuple[tuple[bytes, bytes], ...]
_BY_CODE: dict[str, type[FarmError]] = {}


class FarmError(Exception):
    """Our fault or the operator's; the message is one line that names the thing and the way out.

    It crosses the wire as ``{"error": {"code", "message"}}`` and comes back as the same class.

    Attributes:
        status: the HTTP status it is answered with.
        code: what it is called on the wire.
        headers: HTTP headers that belong to the status.
    """

    status = 400
    code = "bad_request"
    headers: Headers = ()

    def __init_subclass__(cls) -> None:
        # Whatever says nothing of its own on the wire arrives as what it is a kind of.
        if "code" in cls.__dict__:
            _BY_CODE[cls.code] = cls

    def as_json(self) -> dict[str, dict[str, str]]:
        """Return the error as it crosses the wire."""
        return {"error": {"code": self.code, "message": str(self)}}

    @staticmethod
    def from_json(status: int, answer: Any) -> FarmError:
        """Return the error that an answer carries; one of an unknown code keeps the code, and the status it came with.

        Args:
            status: the answer's HTTP status.
            answer: the answer's parsed body.
        """
        told = answer.get("error") if isinstance(answer, dict) else None
        if not isinstance(told, dict):
            told = {"message": answer}
        code = told.get("code")
        kind = _BY_CODE.get(code) if isinstance(code, str) else None
        error = (kind or FarmError)(str(told.get("message")))
        if kind is None:
            error.status, error.code = status, str(code)
        return error


class Unauthorized(FarmError):
    """The token is missing, or another."""

    status = 401
    code = "unauthorized"
    headers: Headers = ((b"www-authenticate", b"Bearer"),)


class ForeignOrigin(FarmError):
    """Sent by a page that is not this farm's."""

    status = 403
    code = "foreign_origin"


class NotFound(FarmError):
    """Something was named that does not exist; the message lists what does."""

    status = 404
    code = "not_found"


class MethodNotAllowed(FarmError):
    """The path exists, the method does not."""

    status = 405
    code = "method_not_allowed"

    headers: Headers = ((b"allow", b"POST"),)


class Conflict(FarmError):
    """The request is understood but does not fit the present state of things."""

    status = 409
    code = "conflict"


class TooLarge(FarmError):
    """The request's body is over the limit; the rest of it was not read."""

    status = 413
    code = "too_large"


class ForeignHost(FarmError):
    """Sent to a name that is not this farm's."""

    status = 421
    code = "foreign_host"


class Failed(FarmError):
    """The farm could not do what it was asked, through no fault of the request: a full disk, for one."""

    status = 500
    code = "failed"


class OverQuota(FarmError):
    """The farm was told to take no more than it has; something must go first."""

    status = 507
    code = "over_quota"


class Unavailable(FarmError):
    """A process of the farm does not answer; it may be back in a moment."""

    status = 503
    code = "unavailable"


_BY_CODE[FarmError.code] = FarmError
