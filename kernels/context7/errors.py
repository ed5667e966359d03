"""Refusals of Context7's API: the class is a status, the docstring what the server says where the API says nothing."""

from __future__ import annotations

from farm.appkit import VendorError

InvalidApiKey = VendorError.define(
    401, "Invalid API key. Please check your API key. API keys should start with 'ctx7sk' prefix."
)
LibraryNotFound = VendorError.define(
    404, "The library you are trying to access does not exist. Please try with a different library ID."
)
RateLimited = VendorError.define(
    429, "Rate limited or quota exceeded. Upgrade your plan at https://context7.com/plans for higher limits."
)
RequestFailed = VendorError.define("request_failed", "Request failed with status {status}. Please try again later.")
InvalidLibraryId = VendorError.define(
    "invalid_library_id",
    "Error fetching library documentation. Please try again later. Error: Invalid library ID format: {library_id}. \
Expected format: /username/library or /username/library/tag",
)


def error_for_status(status: int, message: str | None) -> VendorError:
    """Return what is raised where the API answers with this status; its own message goes before the server's words."""
    for refusal in (InvalidApiKey, LibraryNotFound, RateLimited):
        if refusal.code == status:
            return refusal(message)
    return RequestFailed(message or None, status=status)
