"""What every dialect offers, the one exception they all raise, and how its words and its way out are declared."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from farm.errors import FarmError

Check = Callable[[Any], dict[str, Any]]
"""Raw arguments (``None`` when the key was absent) → cleaned arguments for the handler, or raises ArgumentsRefused."""

INVALID_REQUEST, INVALID_PARAMS, INTERNAL_ERROR = -32600, -32602, -32603
# As much as is said of arguments that do not fit. Real servers say it all, which for ordinary mistakes is less.
ISSUES_MAX = 20
TEXT_BYTES_MAX = 8 * 1024
TOO_DEEP = "Invalid arguments: nested too deeply to be checked"

_LONE_SURROGATES = re.compile("[\ud800-\udfff]")
_REST = "…".encode()
_PLACES = re.compile(r"\{(\w+)(:json)?\}")


class ArgumentsRefused(Exception):
    """Arguments, or a tool name, that the real server's SDK would not pass on.

    Attributes:
        message: the wording of the real server's SDK.
        code: None for a result with text ``message``; otherwise the code of a JSON-RPC error.
        is_error: what such a result says of itself; None where the real server leaves ``isError`` out.
    """

    def __init__(self, message: str, *, code: int | None = None, is_error: bool | None = True) -> None:
        # A caller's half surrogate pair can be quoted in a message, and such a string cannot be written as UTF-8.
        # So much and one more: what is cut shall be seen to be.
        self.message = cut_text(_LONE_SURROGATES.sub("\ufffd", message[: TEXT_BYTES_MAX + 1]))
        self.code = code
        self.is_error = is_error
        super().__init__(self.message)


def cut_text(text: str, bytes_max: int = TEXT_BYTES_MAX) -> str:
    """Return a text that is over ``bytes_max`` in UTF-8 as far as that allows, with an ellipsis for the rest."""
    if 4 * len(text) <= bytes_max:
        return text
    encoded = text[: bytes_max + 1].encode("utf-8", "surrogatepass")
    if len(encoded) <= bytes_max:
        return text
    return encoded[: bytes_max - len(_REST)].decode("utf-8", "ignore") + _REST.decode()


@dataclass(frozen=True)
class Wording:
    """A refusal as an app declares it: its text, and the way it goes out.

    Attributes:
        text: may hold ``{tool}``, and where something is wrong with arguments ``{issues}``; ``{tool:json}`` where the
            text around it is JSON.
        code: the code of a JSON-RPC error; None for a result.
        is_error: what such a result says of itself; None where the real server leaves ``isError`` out.
    """

    text: str
    code: int | None = None
    is_error: bool | None = True

    def refusal(self, **words: str) -> ArgumentsRefused:
        """Put words into the text's places."""

        def word(place: re.Match[str]) -> str:
            found = words.get(place[1], place[0])
            if place[2]:
                # Cut here, not after it: escaped, it must still fit with the JSON around it.
                found = cut_text(found, TEXT_BYTES_MAX // 8)
            return json.dumps(found, ensure_ascii=False)[1:-1] if place[2] and place[1] in words else found

        text = _PLACES.sub(word, self.text)
        return ArgumentsRefused(text, code=self.code, is_error=self.is_error)


class Dialect(Protocol):
    """How one family of real servers checks arguments and words what is wrong with them."""

    @property
    def drops_undeclared(self) -> bool:
        """Whether nothing that a closed schema does not declare reaches the handler."""
        return False

    @property
    def checks_arguments(self) -> bool:
        """Whether a required argument is sure to be there when the handler runs."""
        return True

    @property
    def words_no_object(self) -> bool:
        """Whether arguments that are no object are for the dialect: its real server's SDK words them unlike ours."""
        return False

    def null_arguments(self) -> ArgumentsRefused | None:
        """The answer to a call whose ``arguments`` are null; None where the real server takes them for absent."""
        return None

    def compile(self, tool: str, input_schema: Mapping[str, Any]) -> Check:
        """Build the check of one tool, once, from its inputSchema."""
        ...

    def unknown_tool(self, tool: str, arguments: Any = None) -> ArgumentsRefused:
        """The answer to a call of a tool that does not exist.

        Args:
            tool: the name asked for.
            arguments: those of the call, which many servers read first; None when the key was absent.
        """
        ...


def version(text: str) -> tuple[int, ...]:
    """Read a version number so that it can be compared: ``1.32.2`` is after ``1.4``."""
    return tuple(int(part) for part in re.findall(r"\d+", text))


def fit_handler(
    check: Check, handler: Callable[..., Any], *, is_checked: bool = True, declared: Collection[str] | None = None
) -> Check:
    """Leave out what a handler does not name: a dialect may pass arguments on that no schema declares.

    A handler that ends in ``**others`` gets them all, whatever they are called: ``from``, or ``ep``.

    Args:
        check: a tool's check.
        handler: what it hands arguments to.
        is_checked: whether required arguments are sure to be there.
        declared: all that the check lets pass; None: anything may come.

    Raises:
        FarmError: the handler cannot take everything that may come.
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
