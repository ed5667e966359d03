"""Refusals: what Gmail's API answers, and what the server says by itself.

Google's have its status, message and HTTP status, 400 where none is named. (inferred) marks words that nobody recorded.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from farm.appkit import Answer, VendorError


class ApiError(VendorError):
    """Gmail refuses."""

    http_status = 400


NoCredentials = ApiError.define(
    "NO_CREDENTIALS", "No access, refresh token, API key or refresh handler callback is set.", http_status=0
)
# Google's own message is another; its client shows that of the first error in the body.
InsufficientPermission = ApiError.define("PERMISSION_DENIED", "Insufficient Permission", http_status=403)
NotFound = ApiError.define("NOT_FOUND", "Requested entity was not found.", http_status=404)
InvalidId = ApiError.define("INVALID_ARGUMENT", "Invalid id value")
InvalidThreadId = ApiError.define("INVALID_ARGUMENT", "Invalid thread_id value")
InvalidAttachmentToken = ApiError.define("INVALID_ARGUMENT", "Invalid attachment token")
InvalidMaxResults = ApiError.define("INVALID_ARGUMENT", "Invalid value at 'max_results' (TYPE_UINT32), {value}")
RecipientRequired = ApiError.define("INVALID_ARGUMENT", "Recipient address required")
InvalidHeader = ApiError.define("INVALID_ARGUMENT", "Invalid {header} header")
NoLabelChange = ApiError.define("INVALID_ARGUMENT", "No label add or removes specified")
AddedAndRemoved = ApiError.define("INVALID_ARGUMENT", "Cannot both add and remove the same label")
OnePlace = ApiError.define("INVALID_ARGUMENT", "Can only add one of: INBOX, SPAM, TRASH")
InvalidLabel = ApiError.define("INVALID_ARGUMENT", "Invalid label: {label}")
LabelIdNotFound = ApiError.define("INVALID_ARGUMENT", "labelId not found")
LabelExists = ApiError.define("ALREADY_EXISTS", "Label name exists or conflicts", http_status=409)
InvalidLabelName = ApiError.define("INVALID_ARGUMENT", "Invalid label name")
InvalidUpdate = ApiError.define("INVALID_ARGUMENT", "Invalid update request")  # (inferred)
NoCriteria = ApiError.define("INVALID_ARGUMENT", "Filter doesn't have any criteria")
NoActions = ApiError.define("INVALID_ARGUMENT", "Filter doesn't have any actions")
FilterExists = ApiError.define("FAILED_PRECONDITION", "Filter already exists")
FilterTooLong = ApiError.define("INVALID_ARGUMENT", "The specified filter is too long")
TooManyFilters = ApiError.define("FAILED_PRECONDITION", "Too many filters")
InvalidFilterSize = ApiError.define("INVALID_ARGUMENT", "Invalid value at 'criteria.size' (TYPE_INT32), {value}")
UnrecognizedForwardingAddress = ApiError.define("INVALID_ARGUMENT", "Unrecognized forwarding address")
ServerError = VendorError.define("server", "The server itself refuses, or words what Gmail says in its own way.")


class FileError(VendorError):
    """The server cannot read or write a file."""

    code = "file"


class PathWithNull(FileError):
    """The argument 'path' must be a string, Uint8Array, or URL without null bytes. Received '{path}'"""

    def __init__(self, *, path: str) -> None:
        super().__init__((type(self).__doc__ or "").format(path=path.replace("\0", "\\x00")))


@contextmanager
def worded(failed: str, **by_status: str) -> Iterator[None]:
    """Word what Gmail refuses as the server does.

    Args:
        failed: what stands before Gmail's message.
        by_status: ``status_404="…"`` and the like: what stands instead; with ``{message}`` for Gmail's.

    Raises:
        ServerError: Gmail refuses.
    """
    try:
        yield
    except ApiError as refused:
        words = by_status.get(f"status_{refused.http_status}", failed + ": {message}")
        raise ServerError(words.replace("{message}", refused.message)) from None


def answer(tool: str, error: VendorError) -> Answer:
    """Return what the server makes of any refusal: a text like every other."""
    prefix = "Failed to download attachment" if tool == "download_attachment" else "Error"
    return Answer(f"{prefix}: {error.message}")
