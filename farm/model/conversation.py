"""What comes next in a conversation: the turn is read from the request alone, so nothing is kept between requests.

Frameworks word a conversation differently, and so do the APIs; each API's module brings it into one form (``Request``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

from farm.agents.references import Missing, fill
from farm.errors import FarmError
from farm.model.script import Call, Script, Turn, Usage
from farm.task.keys import near

_SHOWN_MAX = 300
_PIECE = 16  # letters that a stream brings at once
# Our own ids tell whose turn they are of, and which: call_<model>_<turn>_<n>.
_ID = re.compile(r"(?:call|fc|msg)_([0-9a-f]{6})_([0-9]+)(?:_|$)")
_WORDS = re.compile(r"[^0-9A-Za-z]+")


class Unanswerable(FarmError):
    """The script has no answer to a request; the message says at which turn, and what to do."""

    code = "script"


class NoModel(Unanswerable):
    """The script has no model of the name that was asked for."""

    status = 404
    code = "model_not_found"


@dataclass(frozen=True)
class Said:
    """What the model said before.

    Attributes:
        calls: the ids of the calls it asked for, in order.
        ids: these and other ids that tell whose turn it was.
    """

    calls: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Told:
    """What somebody told the model: the user, or a tool whose call has the id."""

    text: str
    call: str | None = None
    body: Any = None  # of a tool's result

    @staticmethod
    def result(call: str, content: Any) -> Told:
        """Return a tool's result as one text, however it was printed and wrapped."""
        body = body_of(content)
        return Told(body if isinstance(body, str) else json.dumps(body, ensure_ascii=False), call, body)


@dataclass(frozen=True)
class Request:
    """What a model is asked, in whatever API.

    Attributes:
        model: its name.
        instructions: what the system says.
        items: what was said so far, but for that.
        tools: the names of those offered, as they stand.
        may_call: whether it may ask for tools at all, and for several at once.
        size_bytes: of the request.
    """

    model: str
    instructions: str
    items: tuple[Said | Told, ...]
    tools: tuple[str, ...]
    may_call: bool = True
    may_call_several: bool = True
    is_streamed: bool = False
    size_bytes: int = 0

    @property
    def newest(self) -> str:
        """What was told since the model last spoke."""
        told: list[str] = []
        for item in reversed(self.items):
            if isinstance(item, Said):
                break
            told.append(item.text)
        return "\n".join(reversed(told))


@dataclass(frozen=True)
class Wanted:
    """A tool call that the model asks for; ``arguments`` is JSON, if the script says nothing else."""

    id: str
    tool: str
    arguments: str


@dataclass(frozen=True)
class Reply:
    """What the model says.

    Attributes:
        model: which of the script's it is that answers.
        digest: the same for the same request and nothing else; ids are made of it.
        mark: what ids of this turn have in common.
    """

    model: str
    turn: int
    text: str | None
    calls: tuple[Wanted, ...]
    usage: Usage
    digest: str
    mark: str


def answer(script: Script, request: Request, digest: str) -> Reply:
    """Return what the script says next.

    Args:
        digest: stands for the request.

    Raises:
        Unanswerable: the script has ended, expects something else, or asks for a tool that is not there.
    """
    turns = script.turns_of(request.model)
    if turns is None:
        raise NoModel(f"no script for model '{request.model}'; have {', '.join(script.names)}")
    name = script.name_of(request.model)
    own = blake2b(name.encode(), digest_size=3).hexdigest()
    played = _played(request.items, own)
    number = len(played) + 1
    if number > len(turns) and not turns[-1].is_repeated:
        raise Unanswerable(
            f"{_place(script, request, number)}: there are only {len(turns)}, and the agent asked again after "
            f"{_shown(request.newest)}; add a turn, or look why it went on"
        )
    turn = turns[min(number, len(turns)) - 1]
    where = _place(script, request, number, len(turns))
    for text in turn.when:
        if text not in request.newest:
            raise Unanswerable(f"{where}: '{text}' is not in what came: {_shown(request.newest)}")
    results = _results(turns, played, request.items)
    calls = tuple(
        Wanted(f"call_{own}_{number}_{n}", _offered(call, request, where), _arguments(call, results, where))
        for n, call in enumerate(turn.calls, 1)
    )
    if len(calls) > 1 and not request.may_call_several:
        raise Unanswerable(
            f"{where}: it asks for {len(calls)} tools at once, and the request allows one; make them turns"
        )
    said = None if turn.text is None else _text(turn.text, results, where)
    usage = turn.usage or _usage(request, said, calls)
    return Reply(name, number, said, calls, usage, digest, f"{own}_{number}")


def _place(script: Script, request: Request, number: int, of: int | None = None) -> str:
    named = f" '{script.name_of(request.model)}'" if script.models else ""
    return f"script{named}, turn {number}{'' if of is None else f' of {of}'}"


# -- where the conversation stands ------------------------------------------------------------------------------------


def _played(items: Sequence[Said | Told], own: str) -> list[Said]:
    """Return the turns that this model has had. What another model said before it is left out where ids tell."""
    played: list[Said] = []
    last: int | None = None
    for item in items:
        if not isinstance(item, Said):
            continue
        marks = [found for each in item.ids if (found := _ID.match(each))]
        if marks and all(found[1] != own for found in marks):
            continue
        number = next((int(found[2]) for found in marks if found[1] == own), None)
        if number is not None and number == last:
            # One turn that the framework has put down in pieces.
            played[-1] = replace(played[-1], calls=played[-1].calls + item.calls)
            continue
        played.append(item)
        last = number
    return played


def _results(turns: Sequence[Turn], played: Sequence[Said], items: Sequence[Said | Told]) -> Mapping[str, Any]:
    """Return name of a call → the body of its result, for the latest call of each name."""
    told = {item.call: item for item in items if isinstance(item, Told) and item.call is not None}
    found: dict[str, Any] = {}
    for n, said in enumerate(played):
        turn = turns[min(n, len(turns) - 1)]
        for call, made in zip(turn.calls, said.calls, strict=False):
            if made in told:
                found[call.known_as] = told[made].body
    return found


def body_of(content: Any) -> Any:
    """Return a tool's body, parsed, out of what a framework wraps it in: blocks, a CallToolResult, JSON in JSON."""
    value = _parsed(content)
    if isinstance(value, dict) and _are_blocks(value.get("content")):
        return body_of(value["content"])
    if _are_blocks(value):
        return _parsed("\n".join(each["text"] for each in value))
    if _are_blocks([value]):
        return _parsed(value["text"])
    return value


def text_of(content: Any) -> str:
    """Return what a message's content says: a text, or the texts of its parts."""
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
            return json.loads(value)
        except ValueError:
            return value
    return value


# -- what it says next ------------------------------------------------------------------------------------------------


def _offered(call: Call, request: Request, where: str) -> str:
    """Return the name by which the agent knows a tool."""
    if not call.offered:
        return call.tool
    if not request.may_call:
        raise Unanswerable(f"{where}: it asks for '{call.tool}', and the request forbids tools (tool_choice is none)")
    wished = _plain(call.tool)
    exact = [name for name in request.tools if name == call.tool] or [
        name for name in request.tools if _plain(name) == wished
    ]
    found = exact or [name for name in request.tools if _plain(name).endswith(f"_{wished}")]
    if len(found) == 1:
        return found[0]
    if found:
        raise Unanswerable(f"{where}: '{call.tool}' may be {', '.join(found)}; write more of the name")
    offered = ", ".join(request.tools) if request.tools else "none"
    meant = near(call.tool, request.tools)
    raise Unanswerable(f"{where}: no tool '{call.tool}' is offered; have {_shown(offered, quote=False)}{meant}")


def _plain(name: str) -> str:
    """Return a tool's name without what frameworks change of it: ``mcp__app__x.y`` and ``mcp_app_x_y`` are one."""
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
    except Missing as problem:
        inner = {name: inner_of(body) for name, body in results.items()}
        try:
            return fill(value, inner, str)
        except Missing:
            known = "; ".join(
                f"{name} is {_shown(json.dumps(body, ensure_ascii=False), quote=False)}"
                for name, body in results.items()
            )
            raise Unanswerable(f"{where}: {problem}; {known or 'no result came so far'}") from None


def inner_of(body: Any) -> Any:
    """Return what stands under the one key by which some frameworks hand on what is no object, or any result."""
    if isinstance(body, dict) and len(body) == 1 and body.keys() <= {"result", "output"}:
        return body_of(*body.values())
    return body


def _usage(request: Request, text: str | None, calls: Sequence[Wanted]) -> Usage:
    said = len((text or "").encode()) + sum(len(call.tool) + len(call.arguments.encode()) for call in calls)
    return Usage(-(-request.size_bytes // 4), max(1, -(-said // 4)))


def _shown(text: str, *, quote: bool = True) -> str:
    flat = " ".join(text.split())
    cut = flat if len(flat) <= _SHOWN_MAX else f"{flat[:_SHOWN_MAX]}…"
    return f'"{cut}"' if quote else cut


def arguments_of(call: Wanted) -> dict[str, Any]:
    """Return a call's arguments as the object that some APIs carry.

    Raises:
        Unanswerable: the script says a text that is none.
    """
    found = _parsed(call.arguments)
    if not isinstance(found, dict):
        raise Unanswerable(
            f"the arguments of '{call.tool}' are no object, and this API carries nothing else; mend the script"
        )
    return found


def pieces(text: str) -> Iterator[str]:
    """Yield a text in pieces, as a stream brings it."""
    for at in range(0, len(text), _PIECE):
        yield text[at : at + _PIECE]
