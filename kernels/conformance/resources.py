"""The fixture's resources."""

import json
import re
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from .contents import PNG

Body = dict[str, Any]
_TEMPLATE = re.compile(r"test://template/([^/]+)/data")

RESOURCES: list[Body] = [
    {"uri": "test://static-text", "name": "Static text", "description": "A fixed text.", "mimeType": "text/plain"},
    {"uri": "test://static-binary", "name": "Static picture", "description": "A picture.", "mimeType": "image/png"},
    {"uri": "test://watched-resource", "name": "Watched", "description": "May be watched.", "mimeType": "text/plain"},
]
TEMPLATES: list[Body] = [
    {
        "uriTemplate": "test://template/{id}/data",
        "name": "Template",
        "description": "Data by id.",
        "mimeType": "application/json",
    }
]
_TEXTS = {
    "test://static-text": "This is the content of the static text resource.",
    "test://watched-resource": "Nothing has happened here.",
}


def read(uri: str) -> Body:
    """Return the contents of a resource.

    Raises:
        MCPError: there is no such resource.
    """
    if uri in _TEXTS:
        return {"uri": uri, "mimeType": "text/plain", "text": _TEXTS[uri]}
    if uri == "test://static-binary":
        return {"uri": uri, "mimeType": "image/png", "blob": PNG}
    if match := _TEMPLATE.fullmatch(uri):
        data = {"id": match[1], "templateTest": True, "data": f"Data for ID: {match[1]}"}
        return {"uri": uri, "mimeType": "application/json", "text": json.dumps(data, separators=(",", ":"))}
    raise MCPError(code=INVALID_PARAMS, message="Resource not found", data={"uri": uri})
