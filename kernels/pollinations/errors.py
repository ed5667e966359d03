"""Refusals: the server's own checks, JavaScript's complaints, and a status of the service. The codes are ours."""

from __future__ import annotations

from farm.appkit import VendorError

PromptRequired = VendorError.define("prompt_required", "Prompt is required and must be a string")
ImageRequired = VendorError.define(
    "image_required", "{kind} URL(s) are required and must be a string or array of strings"
)
ServiceFailed = VendorError.define("service_failed", "Failed to {act}: {status}")
FetchFailed = VendorError.define("fetch_failed", "fetch failed")
NotReadable = VendorError.define("not_readable", "Cannot read properties of null (reading '{member}')")
NotPrimitive = VendorError.define("not_primitive", "Cannot convert object to primitive value")
NotAFunction = VendorError.define("not_a_function", "{name} is not a function")
MalformedUri = VendorError.define("malformed_uri", "URI malformed")
InvalidPath = VendorError.define(
    "invalid_path", 'The "path" argument must be of type string or an instance of Buffer or URL. Received {found}'
)


class PathWithNull(VendorError):
    """The argument 'path' must be a string, Uint8Array, or URL without null bytes. Received '{found}'"""

    code = "path_with_null"

    def __init__(self, *, found: str) -> None:
        super().__init__(found=found.replace("\0", "\\x00"))


FileFailed = VendorError.define("file_failed", "{code}: {problem}, {act} '{path}'")
