"""Answers OAuth clients, which look for a login when they lack the bearer.

A farm has no login. The metadata of the resource (RFC 9728) name the farm as its authorization server, of which there
are none: some clients look for them in advance, and would then ignore the header that they were given. Others go on
to the usual address for the registration of clients (RFC 7591) and show its error: which header to send.
"""

from __future__ import annotations

from urllib.parse import quote

from farm.server.http.answer import HttpAnswer, json_answer

RESOURCE = "/.well-known/oauth-protected-resource"
_ENDPOINTS = ("/register", "/authorize", "/token")
NO_LOGIN = (
    "a farm has no login; send the episode's token as the header 'Authorization: Bearer TOKEN', "
    "as 'farm connect' prints it (mcp-remote: --header 'Authorization:Bearer TOKEN')"
)


def oauth_answer(path: str, base: str) -> HttpAnswer | None:
    """Return the answer to a request of an OAuth client, or None for another path.

    Args:
        path: the request's path.
        base: the beginning of the farm's URLs, as the client sees it.
    """
    if path == RESOURCE or path.startswith(f"{RESOURCE}/"):
        return json_answer(200, _resource(path.removeprefix(RESOURCE), base))
    if path in _ENDPOINTS:
        return json_answer(400, {"error": "access_denied", "error_description": NO_LOGIN})
    return None


def challenge(path: str, base: str, message: str) -> bytes:
    """Return the ``WWW-Authenticate`` header of a request without the bearer.

    Args:
        path: the request's path.
        base: the beginning of the farm's URLs.
        message: the error's message.
    """
    told = message.replace("\\", "").replace('"', "'").encode("ascii", "replace").decode()
    metadata = f"{base}{RESOURCE}{quote(path)}"
    return f'Bearer resource_metadata="{metadata}", error="invalid_token", error_description="{told}"'.encode()


def _resource(path: str, base: str) -> dict[str, object]:
    return {
        "resource": base + path,
        "authorization_servers": [base],
        "bearer_methods_supported": ["header"],
        "resource_name": "mcp-farm",
    }
