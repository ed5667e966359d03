"""The interface of every dialect, the exception they all raise, and the declaration of its wording."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from farm.errors import FarmError

Check = Callable[[Any], dict[str, Any]]
"""Raw arguments (``None`` when the key was absent) → cleaned arguments, or raises InvalidArgumentsError."""

INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32600, -32601, -32602, -32603
# Requests with a text as their target, and its name; requests of lists.
TARGETS = {"prompts/get": "name", "resources/read": "uri"}
LISTS = frozenset({"prompts/list", "resources/list", "resources/templates/list"})
# The most issues that one refusal lists. Real servers list all; ordinary mistakes cause fewer.
ISSUES_MAX = 20
TEXT_BYTES_MAX = 8 * 1024
TOO_DEEP = "Invalid arguments: nested too deeply to be checked"

_LONE_SURROGATES = re.compile("[\ud800-\udfff]")
_REST = "…".encode()
_PLACES = re.compile(r"\{(\w+)(:json)?\}")


class InvalidArgumentsError(Exception):
    """Arguments, or a tool name, that the real server's SDK rejects.

    Attributes:
        message: the wording of the real server's SDK.
        code: None for a result with text ``message``; otherwise the code of a JSON-RPC error.
        is_error: ``isError`` of such a result; None if the real server omits it.
        data: the ``data`` of a JSON-RPC error; None if the real server omits it.
    """

    def __init__(
        self, message: str, *, code: int | None = None, is_error: bool | None = True, data: Any = None
    ) -> None:
        # A message may quote a caller's lone surrogate, and such a string cannot be written as UTF-8.
        # One character more than the limit, so that truncate_text marks the truncation.
        self.message = truncate_text(_LONE_SURROGATES.sub("\ufffd", message[: TEXT_BYTES_MAX + 1]))
        self.code = code
        self.is_error = is_error
        self.data = data
        super().__init__(self.message)


def truncate_text(text: str, bytes_max: int = TEXT_BYTES_MAX) -> str:
    """Truncate a text to ``bytes_max`` bytes of UTF-8, with an ellipsis if anything is cut."""
    if 4 * len(text) <= bytes_max:
        return text
    encoded = text[: bytes_max + 1].encode("utf-8", "surrogatepass")
    if len(encoded) <= bytes_max:
        return text
    return encoded[: bytes_max - len(_REST)].decode("utf-8", "ignore") + _REST.decode()


@dataclass(frozen=True)
class Wording:
    """A refusal that an app declares: its text, and whether it is a result or a JSON-RPC error.

    Attributes:
        text: a template. It may contain ``{tool}`` and, for invalid arguments, ``{issues}``; ``{tool:json}`` if the
            text around it is JSON.
        code: the code of a JSON-RPC error; None for a result.
        is_error: ``isError`` of such a result; None if the real server omits it.
    """

    text: str
    code: int | None = None
    is_error: bool | None = True

    def refusal(self, **words: str) -> InvalidArgumentsError:
        """Fill the template."""

        def word(place: re.Match[str]) -> str:
            found = words.get(place[1], place[0])
            if place[2]:
                # Truncated before it is escaped: the result must fit into the JSON around it.
                found = truncate_text(found, TEXT_BYTES_MAX // 8)
            return json.dumps(found, ensure_ascii=False)[1:-1] if place[2] and place[1] in words else found

        text = _PLACES.sub(word, self.text)
        return InvalidArgumentsError(text, code=self.code, is_error=self.is_error)


class RequestWording:
    """The refusals of requests other than tool calls, in the farm's own words.

    A family of servers overrides what its SDK words otherwise.
    """

    # The code of an error that a handler raises.
    handler_error_code = INTERNAL_ERROR
    # Whether a prompt's result repeats the prompt's description.
    describes_prompts = False

    def malformed(self, method: str, params: Any) -> InvalidArgumentsError | None:
        """Return the refusal of a request whose parameters have a wrong type, or None."""
        given = {} if params is None else params
        if type(given) is not dict:
            return InvalidArgumentsError("Invalid request parameters", code=INVALID_PARAMS)
        target = TARGETS.get(method)
        is_wrong = (
            (target is not None and type(given.get(target)) is not str)
            or (method in LISTS and type(given.get("cursor", "")) not in (str, type(None)))
            or (method == "prompts/get" and not is_text_map(given.get("arguments")))
        )
        return InvalidArgumentsError("Invalid request parameters", code=INVALID_PARAMS) if is_wrong else None

    def unknown_method(self, method: str, params: Any) -> InvalidArgumentsError:
        """Return the refusal of a method that the server does not have."""
        return InvalidArgumentsError("Method not found", code=METHOD_NOT_FOUND)

    def unknown_prompt(self, name: str) -> InvalidArgumentsError:
        """Return the refusal of a prompt that does not exist."""
        return InvalidArgumentsError(f"Unknown prompt: {name}", code=INVALID_PARAMS)

    def missing_arguments(
        self, prompt: str, given: Mapping[str, str] | None, missing: Sequence[str]
    ) -> InvalidArgumentsError:
        """Return the refusal of a prompt's request without required arguments.

        Args:
            prompt: the prompt's name.
            given: the arguments, or None if they were absent.
            missing: the names of the missing ones, in the prompt's order.
        """
        return InvalidArgumentsError(f"Missing required arguments: {', '.join(missing)}", code=INVALID_PARAMS)

    def unexpected_arguments(self, prompt: str, given: Mapping[str, str]) -> InvalidArgumentsError | None:
        """Return the refusal of arguments that the prompt does not declare; None if they are ignored."""
        return None

    def address(self, uri: str) -> str:
        """Return a resource's address as the server sees it.

        Raises:
            InvalidArgumentsError: the server does not accept it as an address.
        """
        return uri

    def unknown_resource(self, given: str, uri: str) -> InvalidArgumentsError:
        """Return the refusal of a resource that does not exist.

        Args:
            given: the address in the request.
            uri: the address as the server sees it.
        """
        return InvalidArgumentsError(f"Resource not found: {given}", code=INVALID_PARAMS, data={"uri": given})


def is_text_map(arguments: Any) -> bool:
    """Return whether a prompt's arguments are absent, or texts by name."""
    return arguments is None or (type(arguments) is dict and all(type(each) is str for each in arguments.values()))


class Dialect(Protocol):
    """How one family of real servers validates arguments and words errors about them."""

    @property
    def drops_undeclared(self) -> bool:
        """Whether arguments that a closed schema does not declare are kept from the handler."""
        return False

    @property
    def checks_arguments(self) -> bool:
        """Whether every required argument is guaranteed to be present when the handler runs."""
        return True

    @property
    def words_no_object(self) -> bool:
        """Whether the dialect itself refuses ``arguments`` that are not an object, in the real SDK's wording."""
        return False

    @property
    def requests(self) -> RequestWording:
        """The refusals of requests other than tool calls."""
        return RequestWording()

    def null_arguments(self) -> InvalidArgumentsError | None:
        """The refusal of a call whose ``arguments`` are null; None if the real server treats null as absent."""
        return None

    def compile(self, tool: str, input_schema: Mapping[str, Any]) -> Check:
        """Build the check of one tool, once, from its inputSchema."""
        ...

    def unknown_tool(self, tool: str, arguments: Any = None) -> InvalidArgumentsError:
        """Return the refusal of a call of a nonexistent tool.

        Args:
            tool: the name in the call.
            arguments: the call's arguments, which many servers validate first; None if the key was absent.
        """
        ...


def version(text: str) -> tuple[int, ...]:
    """Parse a version number into a comparable tuple: ``1.32.2`` is after ``1.4``."""
    return tuple(int(part) for part in re.findall(r"\d+", text))


def fit_handler(
    check: Check, handler: Callable[..., Any], *, is_checked: bool = True, declared: Collection[str] | None = None
) -> Check:
    """Wrap a check so that it drops arguments that the handler has no parameter for.

    A dialect may pass arguments on that no schema declares. A handler with ``**others`` receives them all, whatever
    their names: ``from``, or ``ep``.

    Args:
        check: a tool's check.
        handler: the tool's handler.
        is_checked: whether required arguments are guaranteed to be present.
        declared: the arguments that the check can pass on; None if it can pass on any.

    Raises:
        FarmError: the handler does not accept all possible arguments.
    """
    episode, *parameters = inspect.signature(handler).parameters.values()
    name = f"{handler.__module__.rpartition('.kernels.')[2]}.{handler.__name__}"
    bare = [each.name for each in parameters if each.default is each.empty and each.kind is not each.VAR_KEYWORD]
    if bare and not is_checked:
        raise FarmError(f"{name}: '{bare[0]}' needs a default; nothing makes sure that a call has it")
    if any(each.kind is each.VAR_KEYWORD for each in parameters):
        if episode.kind is not episode.POSITIONAL_ONLY:
            raise FarmError(f"{name}: write '({episode.name}, /, **…)'; an argument may be called '{episode.name}' too")
        return check
    taken = frozenset(each.name for each in parameters)
    if declared is not None and taken.issuperset(declared):
        return check

    def fitting(arguments: Any) -> dict[str, Any]:
        cleaned = check(arguments)
        return cleaned if taken.issuperset(cleaned) else _only(cleaned, taken)

    return fitting


def _only(cleaned: Mapping[str, Any], taken: Iterable[str]) -> dict[str, Any]:
    return {name: value for name, value in cleaned.items() if name in taken}
