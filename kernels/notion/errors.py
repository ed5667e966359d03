"""Refusals: the API's, with status and code, and those of the MCP server in front of it.

The docstring of an API error is its message; which are recorded and which inferred stands in FIDELITY.md.
"""

from __future__ import annotations

from typing import ClassVar

from farm.appkit import Answer, Json, VendorError

_INDENTED, _COMPACT = Json(indented=True), Json()


ServerError = VendorError.define("server_error", "The MCP server refuses by itself, before it asks the API anything.")


class ApiError(VendorError):
    """The API refuses."""

    status: ClassVar[int] = 400


Unauthorized = ApiError.define("unauthorized", "API token is invalid.", status=401)
InvalidRequestUrl = ApiError.define("invalid_request_url", "Invalid request URL.")


class ObjectNotFound(ApiError):
    """Could not find {kind} with ID: {id}. Make sure the relevant pages and databases are shared with your integration "{integration}"."""  # noqa: E501 - the vendor's sentence

    code, status = "object_not_found", 404


class UserNotFound(ApiError):
    """Could not find user with ID: {id}. Make sure your integration has capabilities to read user information. With those capabilities, only members and guests in the integration's workspace are visible."""  # noqa: E501 - the vendor's sentence

    code, status = "object_not_found", 404


class Invalid(ApiError):
    """The request is not valid; the message says why."""

    code = "validation_error"


class InvalidAddress(Invalid):
    """An address is none; the message says of what."""


class CreationFailed(ApiError):
    """Content creation Failed. Fix the following: \n{why}"""

    code = "validation_error"


PayloadTooLarge = ApiError.define("payload_too_large", "Payload Too Large", status=413)
InTrash = ApiError.define(
    "validation_error", "Can't edit block that is archived. You must unarchive the block before editing."
)
AncestorInTrash = ApiError.define(
    "validation_error",
    "Can't edit page on block with an archived ancestor. You must unarchive the ancestor before editing page.",
)
NoChildren = ApiError.define("validation_error", "Block does not support children.")


def answer(tool: str, error: VendorError) -> Answer:
    """Return a refusal as the server shows it since version 2."""
    message = error.message
    if isinstance(error, ApiError):
        # What stands before the API refuses a body by its length, and says no code.
        code = "" if isinstance(error, PayloadTooLarge) else f" {error.code}"
        message = f"Notion API request failed ({error.status}{code}): {message}"
    return Answer({"error": {"message": message}}, is_error=True)


def answer_2025(tool: str, error: VendorError) -> Answer:
    """Return a refusal as version 1 showed it: the API's own body, or a sentence, and neither is marked as an error."""
    if isinstance(error, ApiError):
        body = {"object": "error", "status": error.status, "code": error.code, "message": error.message}
        return Answer(_INDENTED.text({**body, "request_id": error.details.get("request_id", "")}))
    return Answer(_COMPACT.text({"error": error.message}))
