"""Refusals: the server's own checks, JavaScript's complaints, and a status of the service. The codes are ours."""

from __future__ import annotations

from farm.appkit import VendorError


class PromptRequired(VendorError):
    """Prompt is required and must be a string"""

    code = "prompt_required"


class ImageRequired(VendorError):
    """{kind} URL(s) are required and must be a string or array of strings"""

    code = "image_required"


class ServiceFailed(VendorError):
    """Failed to {act}: {status}"""

    code = "service_failed"


class FetchFailed(VendorError):
    """fetch failed"""

    code = "fetch_failed"


class NotReadable(VendorError):
    """Cannot read properties of null (reading '{member}')"""

    code = "not_readable"


class NotPrimitive(VendorError):
    """Cannot convert object to primitive value"""

    code = "not_primitive"


class NotAFunction(VendorError):
    """{name} is not a function"""

    code = "not_a_function"


class MalformedUri(VendorError):
    """URI malformed"""

    code = "malformed_uri"


class InvalidPath(VendorError):
    """The "path" argument must be of type string or an instance of Buffer or URL. Received {found}"""

    code = "invalid_path"


class PathWithNull(VendorError):
    """The argument 'path' must be a string, Uint8Array, or URL without null bytes. Received '{found}'"""

    code = "path_with_null"

    def __init__(self, *, found: str) -> None:
        super().__init__(found=found.replace("\0", "\\x00"))


class FileFailed(VendorError):
    """{code}: {problem}, {act} '{path}'"""

    code = "file_failed"
