"""Refusals: the server's own checks, JavaScript's complaints, and a status of the service. The codes are ours."""

from __future__ import annotations

from farm.kernel import VendorError


class PollinationsError(VendorError):
    """A refusal, with its details in their places."""

    def __init__(self, **details: object) -> None:
        super().__init__((type(self).__doc__ or "").format(**details), **details)


class PromptRequired(PollinationsError):
    """Prompt is required and must be a string"""

    code = "prompt_required"


class ImageRequired(PollinationsError):
    """{kind} URL(s) are required and must be a string or array of strings"""

    code = "image_required"


class ServiceFailed(PollinationsError):
    """Failed to {act}: {status}"""

    code = "service_failed"


class FetchFailed(PollinationsError):
    """fetch failed"""

    code = "fetch_failed"


class NotReadable(PollinationsError):
    """Cannot read properties of null (reading '{member}')"""

    code = "not_readable"


class NotPrimitive(VendorError):
    """Cannot convert object to primitive value"""

    code = "not_primitive"


class NotAFunction(PollinationsError):
    """{name} is not a function"""

    code = "not_a_function"


class MalformedUri(PollinationsError):
    """URI malformed"""

    code = "malformed_uri"


class InvalidPath(PollinationsError):
    """The "path" argument must be of type string or an instance of Buffer or URL. Received {found}"""

    code = "invalid_path"


class PathWithNull(PollinationsError):
    """The argument 'path' must be a string, Uint8Array, or URL without null bytes. Received '{found}'"""

    code = "path_with_null"

    def __init__(self, *, found: str) -> None:
        super().__init__(found=found.replace("\0", "\\x00"))


class FileFailed(PollinationsError):
    """{code}: {problem}, {act} '{path}'"""

    code = "file_failed"
