"""Reading a file as base64."""

import base64
import posixpath
from typing import Any
from urllib.parse import quote

from farm.appkit import Answer, Content, Episode, Result, VendorError

from . import context

MEDIA = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".bmp": "image/bmp",
    ".svg": "image/svg+xml",
    ".mp3": "audio/mpeg",
    ".wav": "audio/wav",
    ".ogg": "audio/ogg",
    ".flac": "audio/flac",
}


class ReadMediaFileRefused(VendorError):
    """{message}"""

    code = "read_media_file_refused"


def read_media_file(ep: Episode, *, path: str) -> Result:
    """Return an image, a sound, or a resource with any other data.

    Raises:
        ReadMediaFileRefused: the path is refused or cannot be read.
    """
    valid, refusal = context.checked(ep, path)
    if refusal:
        raise ReadMediaFileRefused(message=refusal)
    text, refusal = context.read_whole(ep, valid)
    if refusal:
        raise ReadMediaFileRefused(message=refusal)
    data = base64.b64encode(text.encode("utf-8")).decode("ascii")
    mime_type = MEDIA.get(posixpath.splitext(valid)[1].lower(), "application/octet-stream")
    item: dict[str, Any]
    if mime_type.startswith(("image/", "audio/")):
        item = {"type": mime_type.split("/")[0], "data": data, "mimeType": mime_type}
    else:
        uri = "file://" + quote(valid, safe="/!$&'()*+,;=:@[]|~")
        item = {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "blob": data}}
    return Answer(Content((item,)), structured={"content": [item]})
