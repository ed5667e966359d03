"""Answers OAuth clients, which look for a login when they lack the bearer.

A farm has no login. A client that follows the discovery documents (RFC 9728, RFC 8414) ends at the registration of
clients (RFC 7591), whose error it shows: there it is told which header to send.
"""

from __future__ import annotations

from urllib.parse import quote

from farm.server.http.answer import HttpAnswer, json_answer

RESOURCE = "/.well-known/oauth-protected-resource"
_SERVERS = ("/.well-known/oauth-authorization-server", "/.well-known/openid-configuration")
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
    # A path may stand behind the well-known one, or in front of it, as some clients have it.
    if any(each in path for each in _SERVERS):
        return json_answer(200, _server(base))
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


def _server(base: str) -> dict[str, object]:
    register, authorize, token = (base + each for each in _ENDPOINTS)
    return {
        "issuer": base,
        "authorization_endpoint": authorize,
        "token_endpoint": token,
        "registration_endpoint": register,
        "response_types_supported": ["code"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
    }
