"""Find the next turn of a conversation from the request alone, so that no state is kept between requests.

Frameworks and APIs represent a conversation differently; each API's module converts it to one form (``Request``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import takewhile
from typing import Any

from farm._util.bounded_json import OversizedError, parse_bounded
from farm.benchmark.agents.placeholders import MissingPlaceholderError, fill
from farm.benchmark.tasks.toml_schema import near
from farm.errors import FarmError
from farm.testing.mock_model.script import Call, Script, Turn, Usage
from farm.testing.mock_model.wrapped_results import embedded_value

VALUES_MAX = 200_000  # in a request: an agent's is mostly text, and each parsed value takes a hundred bytes
KEPT_BYTES_MAX = 64 * 2**20  # of the requests that a script remembers
_EXCERPT_MAX = 300
_WRAPPINGS_MAX = 3
_PIECE = 16  # characters in one piece of a stream
# Our own ids name their model and turn: call_<model>_<turn>_<n>.
_ID = re.compile(r"(?:call|fc|msg)_([0-9a-f]{6})_([0-9]+)(?:_|$)")
# What clients ask of a model beside the job.
_ASIDE = re.compile(
    r"\b(?:title|titles|topic|isNewTopic|summari[sz]e|summary|next speaker|next_speaker)\b", re.IGNORECASE
)
_TITLE = "A conversation"
# Tools with which clients let a model search for hidden tools, and the arguments beside the query.
_FINDERS: Mapping[str, Mapping[str, Any]] = {"ToolSearch": {"max_results": 5}, "tool_search": {}}
_SEARCH_ITEMS = 2
_NAME_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_WORDS = re.compile(r"[^0-9A-Za-z]+")


class UnanswerableError(FarmError):
    """The script cannot answer a request; the message names the turn and a remedy."""

    code = "script"


class UnknownModelError(UnanswerableError):
    """The script does not define the requested model."""

    status = 404
    code = "model_not_found"


@dataclass(frozen=True)
class AssistantTurn:
    """An earlier turn of the model.

    Attributes:
        calls: the ids of the calls it requested, in order.
        ids: these and other ids that identify the model of the turn.
    """

    calls: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class InputTurn:
    """A message to the model: from the user, or from a tool whose call has the id."""

    text: str
    call: str | None = None
    body: Any = None  # of a tool's result

    @staticmethod
    def result(call: str, content: Any) -> InputTurn:
        """Return a tool's result as one text, however it was serialized and wrapped."""
        body = body_of(content)
        return InputTurn(body if isinstance(body, str) else json.dumps(body, ensure_ascii=False), call, body)


@dataclass(frozen=True)
class Request:
    """A request to the model, from any API.

    Attributes:
        model: its name.
        instructions: the system prompt.
        items: the conversation so far, without the system prompt.
        tools: the names of the offered tools, unchanged.
        may_call: whether the model may call tools at all, and several at once.
        size_bytes: the size of the request.
    """

    model: str
    instructions: str
    items: tuple[AssistantTurn | InputTurn, ...]
    tools: tuple[str, ...]
    may_call: bool = True
    may_call_several: bool = True
    is_streamed: bool = False
    size_bytes: int = 0

    @property
    def newest(self) -> str:
        """Return the messages since the model's last turn."""
        told: list[str] = []
        for item in reversed(self.items):
            if isinstance(item, AssistantTurn):
                break
            told.append(item.text)
        return "\n".join(reversed(told))


@dataclass(frozen=True)
class RequestedCall:
    """A tool call of the model; ``arguments`` is JSON unless the script gives another text."""

    id: str
    tool: str
    arguments: str


@dataclass(frozen=True)
class Reply:
    """An answer of the model.

    Attributes:
        model: the model of the script that answers.
        digest: a hash of the request, from which ids are made.
        mark: the common part of this turn's ids.
    """

    model: str
    turn: int
    text: str | None
    calls: tuple[RequestedCall, ...]
    usage: Usage
    digest: str
    mark: str


def answer(script: Script, request: Request, digest: str) -> Reply:
    """Return the script's answer to a request.

    Args:
        digest: the hash of the request.

    Raises:
        UnanswerableError: the script has ended, expects something else, or calls a tool that is not offered.
    """
    turns = script.turns_of(request.model)
    if turns is None:
        raise UnknownModelError(f"no script for model '{request.model}'; have {', '.join(script.names)}")
    name = script.name_of(request.model)
    own = blake2b(name.encode(), digest_size=3).hexdigest()
    played = _played(request.items, own)
    number = len(played) + 1
    if _is_aside(request, turns):
        return Reply(name, 0, _TITLE, (), _usage(request, _TITLE, ()), digest, f"{own}_aside")
    if number > len(turns) and not turns[-1].is_repeated:
        raise UnanswerableError(
            f"{_place(script, request, number)}: there are only {len(turns)}, and the agent asked again after "
            f"{_excerpt(request.newest)}; add a turn, or look why it went on"
        )
    turn = turns[min(number, len(turns)) - 1]
    where = _place(script, request, number, len(turns))
    for text in turn.when:
        if text not in request.newest:
            found = re.search(re.escape(text), request.newest, re.IGNORECASE)
            other = f", but '{found[0]}' is" if found else ""
            raise UnanswerableError(f"{where}: '{text}' is not in what came{other}: {_excerpt(request.newest)}")
    if (searched := _searched_tool(turn, request)) is not None:
        search = RequestedCall(f"search_{own}_{number}_1", *searched)
        return Reply(name, 0, None, (search,), _usage(request, None, (search,)), digest, f"{own}_search_{number}")
    results = _results(turns, played, request.items)
    calls = tuple(
        RequestedCall(f"call_{own}_{number}_{n}", _offered(call, request, where), _arguments(call, results, where))
        for n, call in enumerate(turn.calls, 1)
    )
    if len(calls) > 1 and not request.may_call_several:
        raise UnanswerableError(
            f"{where}: it asks for {len(calls)} tools at once, and the request allows one; make them turns"
        )
    said = None if turn.text is None else _text(turn.text, results, where)
    usage = turn.usage or _usage(request, said, calls)
    return Reply(name, number, said, calls, usage, digest, f"{own}_{number}")


def _place(script: Script, request: Request, number: int, total: int | None = None) -> str:
    named = f" '{script.name_of(request.model)}'" if script.models else ""
    return f"script{named}, turn {number}{'' if total is None else f' of {total}'}"


# -- beside the script ------------------------------------------------------------------------------------------------


def _is_aside(request: Request, turns: Sequence[Turn]) -> bool:
    """Return whether a client asks for something of its own beside the job, such as the conversation's title.

    Such a request offers no tools, though the script calls some, and says what it wants.
    """
    if request.tools or not any(call.offered for turn in turns for call in turn.calls):
        return False
    return _ASIDE.search(f"{request.instructions}\n{request.newest}") is not None


def _searched_tool(turn: Turn, request: Request) -> tuple[str, str] | None:
    """Return name and arguments of a call that searches for the turn's tool; None if it is offered or cannot be.

    Some clients hide tools behind a search. A model that is asked for a hidden tool searches for it once.
    """
    finder = next((name for name in request.tools if name in _FINDERS), None)
    if finder is None or not request.may_call:
        return None
    hidden = [call.tool for call in turn.calls if call.offered and not _matching(call.tool, request.tools)]
    was_searched = any(isinstance(item, AssistantTurn) and _is_search(item) for item in request.items[-_SEARCH_ITEMS:])
    if not hidden or was_searched:
        return None
    return finder, json.dumps({"query": hidden[0], **_FINDERS[finder]})


def _is_search(said: AssistantTurn) -> bool:
    return bool(said.ids) and any(each.startswith("search_") for each in said.ids)


# -- the position in the conversation ---------------------------------------------------------------------------------


def _played(items: Sequence[AssistantTurn | InputTurn], own: str) -> list[AssistantTurn]:
    """Return the earlier turns of this model; turns of another model are left out where ids identify them."""
    played: list[AssistantTurn] = []
    last: int | None = None
    for item in items:
        if not isinstance(item, AssistantTurn) or _is_search(item):
            continue
        marks = [found for each in item.ids if (found := _ID.match(each))]
        if marks and all(found[1] != own for found in marks):
            continue
        number = next((int(found[2]) for found in marks if found[1] == own), None)
        if number is not None and number == last:
            # One turn that the framework has stored in pieces.
            played[-1] = replace(played[-1], calls=played[-1].calls + item.calls)
            continue
        played.append(item)
        last = number
    return played


def _results(
    turns: Sequence[Turn], played: Sequence[AssistantTurn], items: Sequence[AssistantTurn | InputTurn]
) -> Mapping[str, Any]:
    """Return name of a call → the body of its result, for the latest call of each name."""
    told = {item.call: item for item in items if isinstance(item, InputTurn) and item.call is not None}
    found: dict[str, Any] = {}
    for n, said in enumerate(played):
        turn = turns[min(n, len(turns) - 1)]
        for call, made in zip(turn.calls, said.calls, strict=False):
            if made in told:
                found[call.known_as] = told[made].body
        if len(turn.calls) == 1 and not said.calls and (text := _text_after(said, items)):
            # smolagents sends calls and results as texts.
            found[turn.calls[0].known_as] = body_of(text)
    return found


def _text_after(said: AssistantTurn, items: Sequence[AssistantTurn | InputTurn]) -> str:
    """Return the texts between a turn of the model and the next one."""
    after = next((n + 1 for n, item in enumerate(items) if item is said), len(items))
    told = takewhile(lambda item: isinstance(item, InputTurn), items[after:])
    return "\n".join(item.text for item in told if isinstance(item, InputTurn) and item.call is None)


def body_of(content: Any) -> Any:
    """Return a tool's parsed body from a framework's wrapping: blocks, a CallToolResult, or JSON in JSON."""
    value = _parsed(content)
    if isinstance(value, dict) and _are_blocks(value.get("content")):
        return body_of(value["content"])
    if _are_blocks(value):
        return _parsed("\n".join(each["text"] for each in value))
    if _are_blocks([value]):
        return _parsed(value["text"])
    return value


def text_of(content: Any) -> str:
    """Return the text of a message's content: the text itself, or the texts of its parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(str(each["text"]) for each in content if isinstance(each, dict) and "text" in each)
    return "" if content is None else json.dumps(content, ensure_ascii=False)


def _are_blocks(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(each, dict) and "type" in each and isinstance(each.get("text"), str) for each in value)
    )


def _parsed(value: Any) -> Any:
    if isinstance(value, str):
        try:
            return parse_bounded(value.encode("utf-8", "surrogatepass"), values_max=VALUES_MAX)
        except (ValueError, OversizedError):
            return value
    return value


# -- the next answer --------------------------------------------------------------------------------------------------


def _offered(call: Call, request: Request, where: str) -> str:
    """Return the name under which the agent offers a tool."""
    if not call.offered:
        return call.tool
    if not request.may_call:
        raise UnanswerableError(
            f"{where}: it asks for '{call.tool}', and the request forbids tools (tool_choice is none)"
        )
    found = _matching(call.tool, request.tools)
    if len(found) == 1:
        return found[0]
    if found:
        raise UnanswerableError(f"{where}: '{call.tool}' may be {', '.join(found)}; write more of the name")
    offered = ", ".join(request.tools) if request.tools else "none"
    meant = near(call.tool, request.tools)
    raise UnanswerableError(f"{where}: no tool '{call.tool}' is offered; have {_excerpt(offered, quote=False)}{meant}")


def _matching(tool: str, offered: Sequence[str]) -> list[str]:
    """Return the offered tools that a script's name may mean."""
    wished = _normalize_name(tool)
    exact = [name for name in offered if name == tool] or [name for name in offered if _normalize_name(name) == wished]
    found = exact or [name for name in offered if _normalize_name(name).endswith(f"_{wished}")]
    if found:
        return found
    # CrewAI writes batchGetId as batch_get_id.
    words = _words_of(tool)
    return [name for name in offered if _words_of(name)[-len(words) :] == words]


def _words_of(name: str) -> list[str]:
    return [each.lower() for each in _NAME_WORDS.findall(name)]


def _normalize_name(name: str) -> str:
    """Return a tool's name without the changes of frameworks: ``mcp__app__x.y`` and ``mcp_app_x_y`` are equal."""
    return _WORDS.sub("_", name)


def _arguments(call: Call, results: Mapping[str, Any], where: str) -> str:
    if isinstance(call.arguments, str):
        return call.arguments
    return json.dumps(_filled(call.arguments, results, where), ensure_ascii=False)


def _text(text: str, results: Mapping[str, Any], where: str) -> str:
    filled = _filled(text, results, where)
    return filled if isinstance(filled, str) else json.dumps(filled, ensure_ascii=False)


def _filled(value: Any, results: Mapping[str, Any], where: str) -> Any:
    try:
        return fill(value, results, str)
    except MissingPlaceholderError as problem:
        inner = {name: inner_of(body) for name, body in results.items()}
        try:
            return fill(value, inner, str)
        except MissingPlaceholderError:
            with suppress(MissingPlaceholderError):
                return fill(value, {name: _unwrapped(body) for name, body in inner.items()}, str)
            known = "; ".join(
                f"{name} is {_excerpt(json.dumps(body, ensure_ascii=False), quote=False)}"
                for name, body in results.items()
            )
            raise UnanswerableError(f"{where}: {problem}; {known or 'no result came so far'}") from None


def _unwrapped(body: Any) -> Any:
    """Return the value inside of a client's words, as often as it is wrapped."""
    for _ in range(_WRAPPINGS_MAX):
        found = embedded_value(body) if isinstance(body, str) else None
        if found is None:
            return body
        body = inner_of(body_of(found))
    return body


def inner_of(body: Any) -> Any:
    """Return the value under the single key in which some frameworks wrap non-objects, or any result."""
    if isinstance(body, dict) and len(body) == 1 and body.keys() <= {"result", "output"}:
        return body_of(*body.values())
    return body


def _usage(request: Request, text: str | None, calls: Sequence[RequestedCall]) -> Usage:
    said = len((text or "").encode()) + sum(len(call.tool) + len(call.arguments.encode()) for call in calls)
    return Usage(-(-request.size_bytes // 4), max(1, -(-said // 4)))


def _excerpt(text: str, *, quote: bool = True) -> str:
    flat = " ".join(text.split())
    # Of several results, the start shows the first and the end the last.
    head = _EXCERPT_MAX * 2 // 3
    truncated = flat if len(flat) <= _EXCERPT_MAX else f"{flat[:head]} … {flat[head - _EXCERPT_MAX :]}"
    return f'"{truncated}"' if quote else truncated


def arguments_of(call: RequestedCall) -> dict[str, Any]:
    """Return a call's arguments as an object, for APIs that require one.

    Raises:
        UnanswerableError: the script gives a text that is not a JSON object.
    """
    found = _parsed(call.arguments)
    if not isinstance(found, dict):
        raise UnanswerableError(
            f"the arguments of '{call.tool}' are no object, and this API carries nothing else; mend the script"
        )
    return found


def pieces(text: str) -> Iterator[str]:
    """Yield a text in the pieces of a stream."""
    for at in range(0, len(text), _PIECE):
        yield text[at : at + _PIECE]
