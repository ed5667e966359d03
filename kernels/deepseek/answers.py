"""What stands in for a language model: seeded sentences that say so, counted and charged as a model's would be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from farm.appkit import Episode, compact_json
from farm.appkit.formats.javascript import js_well_formed

from . import errors

_QUOTED_MAX = 160
_TOKEN, _CHUNK = 4, 16
_NO_ARGUMENTS = "{}"
# What the server keeps to itself, or what changes how an answer comes and not what it says.
_UNSENT = {"message", "conversation_id", "clear_conversation", "include_raw_response", "extra_body", "stream"}


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """One answer.

    Attributes:
        finish: ``stop``, ``length`` or ``tool_calls``.
        reasoning_tokens: are among the completion's.
        called: the function that is called in the place of a text.
    """

    id: str
    text: str
    reasoning: str
    finish: str
    prompt_tokens: int
    completion_tokens: int
    reasoning_tokens: int
    called: str | None = None

    @property
    def chunks(self) -> int:
        """How many pieces a stream of it has: its beginning, its texts, its end."""
        return 2 + -(-len(self.text) // _CHUNK) + -(-len(self.reasoning) // _CHUNK)


def say(
    ep: Episode,
    kind: str,
    *,
    model: str,
    asked: str,
    counted_text: str,
    given: Mapping[str, Any],
    markers: int = 0,
    tokens_max: int | None = None,
    reasons: bool = False,
    as_json: bool = False,
    called: str | None = None,
) -> GivenAnswer:
    """Answer and charge for it.

    Args:
        kind: of ``replies``.
        asked: what is answered; it is quoted.
        counted_text: all that was sent; its tokens are counted.
        given: the request, on which it depends what is said.
        markers: tokens that stand between what was sent.
        tokens_max: what reasoning and text may have together, reasoning first.
        called: the function to call in the place of a text.

    Raises:
        ModelNotExist, InsufficientBalance: there is no such model, or nothing to pay with.
    """
    require_model(ep, model)
    canned = ep.reference.one("SELECT * FROM canned WHERE kind = ? AND asked = ?", kind, js_well_formed(asked))
    canned = canned or {"prompt_tokens": None, "completion_tokens": None, "id": None, **_reply(ep, kind, given)}
    quoted = asked if len(asked) <= _QUOTED_MAX else f"{asked[:_QUOTED_MAX]}…"
    count = len(asked.split())
    words = {"model": model, "words": f"{count} word{'s' * (count != 1)}", "quoted": quoted}
    text = _filled(canned["text"], words)
    if as_json:
        text = compact_json({"simulated": True, "in_the_place_of": model, "words": count})
    reasoning, left = _filled(canned["reasoning"], words) if reasons else "", tokens_max
    if left is not None:
        reasoning = reasoning[: left * _TOKEN]
        left -= _count(reasoning)
    text, finish = _truncate("" if called else text, given.get("stop"), left)
    call_tokens = _count(called + _NO_ARGUMENTS) if called else 0
    if called:
        is_cut = left is not None and call_tokens > left
        called, finish, call_tokens = (None, "length", left or 0) if is_cut else (called, "tool_calls", call_tokens)
    said = GivenAnswer(
        id=canned["id"] or ep.new_id("answer"),
        text=text,
        reasoning=reasoning,
        finish=finish,
        prompt_tokens=canned["prompt_tokens"] or _count(counted_text) + markers,
        completion_tokens=canned["completion_tokens"] or _count(text) + _count(reasoning) + call_tokens,
        reasoning_tokens=_count(reasoning),
        called=called,
    )
    _charge(ep, model, said)
    return said


def require_model(ep: Episode, model: str) -> None:
    """Refuse a model that there is not, and any call that nothing is left for."""
    if ep.reference.one("SELECT id FROM models WHERE id = ?", js_well_formed(model)) is None:
        raise errors.ModelNotExist
    if sum(left_cents(ep)) <= 0:
        raise errors.InsufficientBalance


def left_cents(ep: Episode) -> tuple[int, int]:
    """Return what is left of what was granted, which is spent first, and of what was paid in.

    Reads all charges: what is left is what they have not spent.
    """
    account = ep.reference.one("SELECT * FROM accounts")
    if account is None:
        return 0, 0
    spent = -(-int(ep.db.scalar("SELECT coalesce(sum(cost_micros), 0) FROM charges")) // 10_000)
    granted = max(account["granted_cents"] - spent, 0)
    spent -= account["granted_cents"] - granted
    return granted, max(account["topped_up_cents"] - spent, 0)


def calls(ep: Episode, said: GivenAnswer) -> list[dict[str, Any]]:
    """Return the call that the answer consists of, if it does."""
    if said.called is None:
        return []
    function = {"name": said.called, "arguments": _NO_ARGUMENTS}
    return [{"id": ep.new_id("call"), "type": "function", "function": function}]


def tokens_of(text: str) -> list[str]:
    """Return the tokens that a text is counted as."""
    return [text[at : at + _TOKEN] for at in range(0, len(text), _TOKEN)]


def _reply(ep: Episode, kind: str, given: Mapping[str, Any]) -> dict[str, Any]:
    replies = ep.reference.all("SELECT text, reasoning FROM replies WHERE kind = ? ORDER BY text", kind)
    source = js_well_formed(compact_json(sorted((name, value) for name, value in given.items() if name not in _UNSENT)))
    number = int.from_bytes(blake2b(source.encode(), digest_size=8).digest(), "big")
    return replies[number % len(replies)]


def _filled(text: str, words: Mapping[str, Any]) -> str:
    for name, value in words.items():
        text = text.replace(f"{{{name}}}", str(value))
    return text


def _truncate(text: str, stop: str | Sequence[str] | None, tokens_max: int | None) -> tuple[str, str]:
    for each in [stop] if isinstance(stop, str) else stop or ():
        text = text.split(each, 1)[0]
    if tokens_max is not None and _count(text) > tokens_max:
        return text[: tokens_max * _TOKEN], "length"
    return text, "stop"


def _count(text: str) -> int:
    return -(-len(text) // _TOKEN)


def _charge(ep: Episode, model: str, said: GivenAnswer) -> None:
    account = ep.reference.one("SELECT * FROM accounts")
    assert account is not None, "there was something to pay with"
    # Cents a million tokens are hundredths of a millionth each.
    cost = (
        account["prompt_price_cents"] * said.prompt_tokens + account["completion_price_cents"] * said.completion_tokens
    )
    number = ep.next_number("charges", "number")
    tokens = {"prompt_tokens": said.prompt_tokens, "completion_tokens": said.completion_tokens}
    ep.db.insert("charges", number=number, model=model, **tokens, cost_micros=cost // 100, charged_ms=ep.now_ms)
