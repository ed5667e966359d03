"""Refusals of Context7's API: its own messages, and by status what the server says where the API says nothing.

The API's are those of its OpenAPI document; (inferred) marks words that stand nowhere.
"""

from __future__ import annotations

from farm.appkit import VendorError

InvalidApiKey = VendorError.define(
    401, "Invalid API key. Please check your API key. API keys should start with 'ctx7sk' prefix."
)
LibraryNotFound = VendorError.define(
    "library_not_found",
    'Library "{library_id}" not found. Please check the library ID or your access permissions.',
)
TagNotFound = VendorError.define(
    "tag_not_found", 'Tag "{tag}" not found for library "{library_id}". Available tags: {tags}'
)
NoLibrariesFound = VendorError.define(
    "no_libraries_found", 'No libraries found for "{name}". Try a different search term.'
)
WrongLibraryId = VendorError.define(
    "wrong_library_id",
    "Invalid library ID format. Expected: `/owner/repo` for GitHub repositories, or `/<source>/<id>` for other sources \
(the URL path of the library on context7.com)",
)
Missing = VendorError.define("missing", "{what} is required")
TooLong = VendorError.define("too_long", "{what} must be at most {length_max} characters")  # (inferred)
NotFound = VendorError.define(
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
    for refusal in (InvalidApiKey, NotFound, RateLimited):
        if refusal.code == status:
            return refusal(message)
    return RequestFailed(message or None, status=status)
