"""The farm's own errors. A simulated service raises a ``VendorError`` (``farm.appkit.handler_api``)."""

from __future__ import annotations

from typing import Any

Headers = tuple[tuple[bytes, bytes], ...]
_BY_CODE: dict[str, type[FarmError]] = {}


class FarmError(Exception):
    """An error of the farm or its operator; the message is one line with the cause and what to do.

    It is sent as ``{"error": {"code", "message"}}`` and parsed back into the same class.

    Attributes:
        status: the HTTP status of its answer.
        code: its name in answers.
        headers: HTTP headers that belong to the status.
    """

    status = 400
    code = "bad_request"
    headers: Headers = ()

    def __init_subclass__(cls) -> None:
        # A subclass without its own code arrives as its base class.
        if "code" in cls.__dict__:
            _BY_CODE[cls.code] = cls

    def as_json(self) -> dict[str, dict[str, str]]:
        """Return the error's JSON form."""
        return {"error": {"code": self.code, "message": str(self)}}

    @staticmethod
    def from_json(status: int, answer: Any) -> FarmError:
        """Return the error in an answer; with an unknown code, a ``FarmError`` with that code and the answer's status.

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


class UnauthorizedError(FarmError):
    """The token is missing or wrong."""

    status = 401
    code = "unauthorized"
    headers: Headers = ((b"www-authenticate", b"Bearer"),)


class ForeignOriginError(FarmError):
    """The request's Origin is not accepted."""

    status = 403
    code = "foreign_origin"


class NotFoundError(FarmError):
    """A named thing does not exist; the message lists those that do."""

    status = 404
    code = "not_found"


class MethodNotAllowedError(FarmError):
    """The path exists, but not with this method."""

    status = 405
    code = "method_not_allowed"

    headers: Headers = ((b"allow", b"POST"),)


class ConflictError(FarmError):
    """The request is valid but conflicts with the current state."""

    status = 409
    code = "conflict"


class PayloadTooLargeError(FarmError):
    """The request's body is over the limit; the rest of it was not read."""

    status = 413
    code = "too_large"


class ForeignHostError(FarmError):
    """The request's Host is not accepted."""

    status = 421
    code = "foreign_host"


class InternalError(FarmError):
    """The farm failed, through no fault of the request: for example on a full disk."""

    status = 500
    code = "failed"


class QuotaExceededError(FarmError):
    """A quota is reached; something must be removed first."""

    status = 507
    code = "over_quota"


class UnavailableError(FarmError):
    """A process of the farm does not answer; it may be restarting."""

    status = 503
    code = "unavailable"


_BY_CODE[FarmError.code] = FarmError
