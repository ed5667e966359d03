"""What identifies a request: the part of it that is compared and recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

# Methods whose answer is the same however often they are sent: clients connect as often as they like.
_HANDSHAKES = frozenset(
    {
        "initialize",
        "ping",
        "server/discover",
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
    }
)
_SECRETS = frozenset({"key", "api_key", "access_token"})


@dataclass(frozen=True)
class Asked:
    """A request as it is recorded.

    Attributes:
        title: what is asked for, in a word or two.
        content: its JSON.
        is_repeatable: whether one recorded answer serves any number of such requests.
    """

    title: str
    content: Any
    is_repeatable: bool = False


def mcp_request(message: Mapping[str, Any]) -> Asked:
    """Return what identifies a JSON-RPC request: method and parameters, without what a client tells of itself."""
    method, given = str(message["method"]), message.get("params")
    params = {name: value for name, value in given.items() if name != "_meta"} if isinstance(given, Mapping) else {}
    if method == "initialize":
        params = {}
    title = f"{method} {params['name']}" if "name" in params else method
    return Asked(title, {"method": method, "params": params}, method in _HANDSHAKES)


def model_request(method: str, target: str, body: Any) -> Asked:
    """Return what identifies a request to a model: path and body; keys in the address are left out."""
    parts = urlsplit(target)
    query = urlencode([(name, value) for name, value in parse_qsl(parts.query) if name not in _SECRETS])
    path = f"{parts.path}?{query}" if query else parts.path
    return Asked(f"{method} {path}", {"method": method, "path": path, "body": body}, method == "GET")
