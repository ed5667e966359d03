"""How each family of real servers refuses requests other than tool calls: prompts, resources and unknown methods.

The wording depends on the real server's SDK alone, so a dialect has one instance of these classes. Sources: requests to
running servers on each SDK; for Go, the code of mcp-go 0.8.2 and 0.14.1 and of the Go SDK 1.4.0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from farm.appkit.dialects._base import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    LISTS,
    METHOD_NOT_FOUND,
    TARGETS,
    InvalidArgumentsError,
    RequestWording,
    is_text_map,
)
from farm.appkit.dialects._javascript import js_json, received, received_4
from farm.appkit.dialects._values import ABSENT
from farm.appkit.formats.go import go_quote

RESOURCE_NOT_FOUND = -32002
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
# Schemes whose URLs must have a host (WHATWG URL, "special scheme").
_WITH_HOST = re.compile(r"(?:https?|wss?|ftp):[/\\]*(?:[?#].*)?", re.IGNORECASE)
# What a URL keeps as it is; anything else is percent-encoded (WHATWG URL, the sets of a path and of a query).
_KEPT = "!$%&'()*+,-./:;=?@[\\]_|~#"
_KEPT_OPAQUE = "".join(map(chr, range(0x20, 0x7F)))
_LEVELS = frozenset({"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"})


@dataclass(frozen=True)
class TypescriptRequests(RequestWording):
    """The TypeScript SDK.

    Attributes:
        release: the SDK's version.
    """

    release: tuple[int, ...]

    @property
    def _zod(self) -> int:
        return 3 if self.release < (1, 23) else 4

    @property
    def _prefix(self) -> str:
        return "" if self.release >= (2,) else "MCP error -32602: "

    def malformed(self, method: str, params: Any) -> InvalidArgumentsError | None:
        """Return the refusal of a request whose parameters have a wrong type: the SDK prints zod's issues."""
        issues = [self._issue(*each) for each in _mistyped(method, params)]
        return InvalidArgumentsError(js_json(issues), code=INTERNAL_ERROR) if issues else None

    def _issue(self, place: tuple[str, ...], expected: str, value: Any) -> Mapping[str, Any]:
        if self._zod == 4:
            message = f"Invalid input: expected {expected}, received {received_4(value)}"
            return {"expected": expected, "code": "invalid_type", "path": list(place), "message": message}
        expected, found = "object" if expected == "record" else expected, received(value)
        message = "Required" if value is ABSENT else f"Expected {expected}, received {found}"
        types = {"code": "invalid_type", "expected": expected, "received": found}
        return {**types, "path": list(place), "message": message}

    def unknown_prompt(self, name: str) -> InvalidArgumentsError:
        """Return the refusal of a prompt that does not exist."""
        return InvalidArgumentsError(f"{self._prefix}Prompt {name} not found", code=INVALID_PARAMS)

    def missing_arguments(
        self, prompt: str, given: Mapping[str, str] | None, missing: Sequence[str]
    ) -> InvalidArgumentsError:
        """Return the refusal of a prompt's request without required arguments: zod's issues, in two forms."""
        places = [(name,) for name in missing]
        if self.release >= (2,):
            issues = [f"{name}: {self._issue((name,), 'string', ABSENT)['message']}" for name in missing]
            told = ", ".join(issues)
        elif given is None:
            told = js_json([self._issue((), "object", ABSENT)])
        else:
            told = js_json([self._issue(place, "string", ABSENT) for place in places])
        return InvalidArgumentsError(
            f"{self._prefix}Invalid arguments for prompt {prompt}: {told}", code=INVALID_PARAMS
        )

    def address(self, uri: str) -> str:
        """Return a resource's address as JavaScript's ``URL`` prints it."""
        found = js_url(uri)
        if found is not None:
            return found
        if self.release < (2,):
            raise InvalidArgumentsError("Invalid URL", code=INTERNAL_ERROR)
        data = {"uri": uri, "reason": "invalid_uri"}
        raise InvalidArgumentsError(f"Resource URI {uri} is invalid", code=INVALID_PARAMS, data=data)

    def unknown_resource(self, given: str, uri: str) -> InvalidArgumentsError:
        """Return the refusal of a resource that does not exist."""
        if self.release < (2,):
            return InvalidArgumentsError(f"{self._prefix}Resource {uri} not found", code=INVALID_PARAMS)
        return super().unknown_resource(given, uri)


def _mistyped(method: str, params: Any) -> list[tuple[tuple[str, ...], str, Any]]:
    """Return place, expected type and value of each mistyped parameter, in the order of the SDK's schema."""
    if method in LISTS:
        given = {} if params is None else params
        if type(given) is not dict:
            return [(("params",), "object", given)]
        cursor = given.get("cursor", "")
        return [] if type(cursor) is str else [(("params", "cursor"), "string", cursor)]
    target = TARGETS.get(method)
    if target is None:
        return []
    if type(params) is not dict:
        return [(("params",), "object", ABSENT if params is None else params)]
    found: list[tuple[tuple[str, ...], str, Any]] = []
    named = params.get(target, ABSENT)
    if type(named) is not str:
        found.append((("params", target), "string", named))
    arguments = params.get("arguments", ABSENT)
    if method == "prompts/get" and arguments is not ABSENT:
        if type(arguments) is not dict:
            found.append((("params", "arguments"), "record", arguments))
        else:
            wrong = ((key, each) for key, each in arguments.items() if type(each) is not str)
            found += [(("params", "arguments", key), "string", each) for key, each in wrong]
    return found


def js_url(text: str) -> str | None:
    """Return an address as JavaScript's ``new URL(text).href`` prints it, or None if it is no URL.

    Special schemes are only checked for a host: no real server has resources of one.
    """
    trimmed = re.sub(r"[\t\n\r]", "", text.strip("".join(map(chr, range(0x21)))))
    scheme = _SCHEME.match(trimmed)
    if scheme is None or _WITH_HOST.fullmatch(trimmed):
        return None
    rest = trimmed[scheme.end() :]
    rest = quote(rest.encode("utf-8", "replace"), safe=_KEPT if rest.startswith("/") else _KEPT_OPAQUE)
    if _WITH_HOST.fullmatch(scheme[0]) and re.fullmatch(r"//[^/?#]+", rest):
        rest += "/"
    return scheme[0].lower() + rest


@dataclass(frozen=True)
class PythonRequests(RequestWording):
    """The Python SDK before version 2: FastMCP, and the low-level server.

    Attributes:
        pydantic: the version in links to pydantic's documentation.
    """

    pydantic: str = "2.14"

    handler_error_code = 0
    describes_prompts = True
    _METHODS = frozenset(
        {
            *LISTS,
            *TARGETS,
            *("ping", "initialize", "completion/complete", "logging/setLevel", "tools/list", "tools/call"),
            *("resources/subscribe", "resources/unsubscribe"),
            *("tasks/get", "tasks/list", "tasks/cancel", "tasks/result"),
        }
    )

    def malformed(self, method: str, params: Any) -> InvalidArgumentsError | None:
        """Return the refusal of a request whose parameters have a wrong type."""
        is_right = super().malformed(method, params) is None and self._is_complete(method, params or {})
        return None if is_right else self._invalid()

    def _is_complete(self, method: str, given: Mapping[str, Any]) -> bool:
        match method:
            case "resources/read" | "resources/subscribe" | "resources/unsubscribe":
                return js_url(str(given.get("uri", ""))) is not None
            case "logging/setLevel":
                return given.get("level") in _LEVELS
            case "completion/complete":
                return isinstance(given.get("ref"), dict) and isinstance(given.get("argument"), dict)
            case "tasks/get" | "tasks/cancel" | "tasks/result":
                return isinstance(given.get("taskId"), str)
        return True

    def _invalid(self) -> InvalidArgumentsError:
        return InvalidArgumentsError("Invalid request parameters", code=INVALID_PARAMS, data="")

    def unknown_method(self, method: str, params: Any) -> InvalidArgumentsError:
        """Return the refusal of a method: the SDK cannot parse requests of methods that the protocol lacks."""
        if method not in self._METHODS or self.malformed(method, params):
            return self._invalid()
        return super().unknown_method(method, params)

    def unknown_prompt(self, name: str) -> InvalidArgumentsError:
        """Return the refusal of a prompt that does not exist."""
        return InvalidArgumentsError(f"Unknown prompt: {name}", code=0)

    def missing_arguments(
        self, prompt: str, given: Mapping[str, str] | None, missing: Sequence[str]
    ) -> InvalidArgumentsError:
        """Return the refusal of a prompt's request without required arguments: a Python set, here in order."""
        return InvalidArgumentsError(f"Missing required arguments: {{{', '.join(map(repr, missing))}}}", code=0)

    def unexpected_arguments(self, prompt: str, given: Mapping[str, str]) -> InvalidArgumentsError | None:
        """Return the refusal of arguments that the prompt does not declare, worded by pydantic."""
        count = f"{len(given)} validation error{'s' if len(given) > 1 else ''} for {prompt}"
        kind = "unexpected_keyword_argument"
        link = f"    For further information visit https://errors.pydantic.dev/{self.pydantic}/v/{kind}"
        issues = [
            f"{name}\n  Unexpected keyword argument [type={kind}, input_value={value!r}, input_type=str]\n{link}"
            for name, value in given.items()
        ]
        return InvalidArgumentsError("\n".join([f"Error rendering prompt {prompt}: {count}", *issues]), code=0)

    def address(self, uri: str) -> str:
        """Return a resource's address as pydantic prints it."""
        return js_url(uri) or uri

    def unknown_resource(self, given: str, uri: str) -> InvalidArgumentsError:
        """Return the refusal of a resource that does not exist."""
        return InvalidArgumentsError(f"Unknown resource: {uri}", code=0)


_GO_NAMES = {
    "prompts/list": "list prompts",
    "prompts/get": "get prompt",
    "resources/list": "list resources",
    "resources/templates/list": "list resource templates",
    "resources/read": "read resource",
}


class McpGoRequests(RequestWording):
    """mcp-go before 0.16."""

    def malformed(self, method: str, params: Any) -> InvalidArgumentsError | None:
        """Return the refusal of a request whose parameters have a wrong type; absent ones are empty in Go."""
        given = {} if params is None else params
        values = [given.get(key) for key in ("name", "uri", "cursor")] if type(given) is dict else [None]
        is_right = type(given) is dict and all(value is None or type(value) is str for value in values)
        if is_right and is_text_map(given.get("arguments")):
            return None
        return InvalidArgumentsError(f"Invalid {_GO_NAMES.get(method, method)} request", code=INVALID_REQUEST)

    def unknown_method(self, method: str, params: Any) -> InvalidArgumentsError:
        """Return the refusal of a method that the server does not have."""
        group = method.partition("/")[0].capitalize()
        said = f"{group} not supported" if method in _GO_NAMES else f"Method {method} not found"
        return InvalidArgumentsError(said, code=METHOD_NOT_FOUND)

    def unknown_prompt(self, name: str) -> InvalidArgumentsError:
        """Return the refusal of a prompt that does not exist."""
        return InvalidArgumentsError(f"Prompt not found: {name}", code=INVALID_PARAMS)

    def unknown_resource(self, given: str, uri: str) -> InvalidArgumentsError:
        """Return the refusal of a resource that does not exist."""
        return InvalidArgumentsError(f"No handler found for resource URI: {given}", code=INVALID_PARAMS)


class GoSdkRequests(RequestWording):
    """The official Go SDK, which answers lists also where the server declares no such capability."""

    def unknown_method(self, method: str, params: Any) -> InvalidArgumentsError:
        """Return the refusal of a method that the server does not have."""
        return InvalidArgumentsError(f"method not found: {go_quote(method)}", code=METHOD_NOT_FOUND)

    def unknown_prompt(self, name: str) -> InvalidArgumentsError:
        """Return the refusal of a prompt that does not exist."""
        return InvalidArgumentsError(f"unknown prompt {go_quote(name)}", code=INVALID_PARAMS)

    def unknown_resource(self, given: str, uri: str) -> InvalidArgumentsError:
        """Return the refusal of a resource that does not exist."""
        return InvalidArgumentsError("Resource not found", code=RESOURCE_NOT_FOUND, data={"uri": given})
