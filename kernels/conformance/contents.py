"""Tools that answer with each kind of content, and the pictures and sounds they show."""

import json
from typing import Any

from farm.appkit import Content, Episode, Result, VendorError

# The smallest files of their kinds: one red pixel, and a WAV without a sample.
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="


class Intended(VendorError):
    """This tool intentionally returns an error for testing"""

    code = "intended"


def text(words: str) -> dict[str, str]:
    """Return a text item."""
    return {"type": "text", "text": words}


def image() -> dict[str, str]:
    """Return a picture."""
    return {"type": "image", "data": PNG, "mimeType": "image/png"}


def resource(uri: str, mime_type: str, words: str) -> dict[str, Any]:
    """Return an item that holds a resource."""
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": words}}


def simple_text(ep: Episode) -> Result:
    """Return one text."""
    return "This is a simple text response for testing."


def image_content(ep: Episode) -> Result:
    """Return one picture."""
    return Content((image(),))


def audio_content(ep: Episode) -> Result:
    """Return one sound."""
    return Content(({"type": "audio", "data": WAV, "mimeType": "audio/wav"},))


def embedded_resource(ep: Episode) -> Result:
    """Return one resource."""
    return Content((resource("test://embedded-resource", "text/plain", "This is an embedded resource content."),))


def multiple_content_types(ep: Episode) -> Result:
    """Return a text, a picture and a resource."""
    mixed = resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')
    return Content(("Multiple content types test:", image(), mixed))


def error_handling(ep: Episode) -> Result:
    """Refuse.

    Raises:
        Intended: always.
    """
    raise Intended


def json_schema_2020_12_tool(ep: Episode, /, **arguments: object) -> Result:
    """Return the arguments; what matters is how the tool's schema is listed."""
    return json.dumps(arguments, ensure_ascii=False)
