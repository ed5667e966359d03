"""What the API sends of a chat or a completion, and what the server keeps of it where the answer came in pieces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from farm.appkit import Episode

from . import answers

# As shown in public answers of 2026; every other name was a name of the smaller model.
_FINGERPRINTS = {"deepseek-v4-pro": "fp_9954b31ca7_prod0820_fp8_kvcache_20260402"}
_FINGERPRINT = "fp_8b330d02d0_prod0820_fp8_kvcache_20260402"
# Of each token nothing else could have been said.
_CERTAIN = 0


def usage(said: answers.GivenAnswer) -> dict[str, Any]:
    """Return the counts of an answer; nothing comes from a cache."""
    counts: dict[str, Any] = {"prompt_tokens": said.prompt_tokens, "completion_tokens": said.completion_tokens}
    counts |= {
        "total_tokens": said.prompt_tokens + said.completion_tokens,
        "prompt_tokens_details": {"cached_tokens": 0},
    }
    if said.reasoning_tokens:
        counts["completion_tokens_details"] = {"reasoning_tokens": said.reasoning_tokens}
    return {**counts, "prompt_cache_hit_tokens": 0, "prompt_cache_miss_tokens": said.prompt_tokens}


def chat(
    ep: Episode, said: answers.GivenAnswer, given: Mapping[str, Any], message: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a chat's answer as the API sends it; of pieces, as the server puts them together.

    Args:
        given: the arguments of the call.
        message: the assistant's.
    """
    head = _head(ep, said, given["model"], "chat.completion")
    if given["stream"]:
        choice: dict[str, Any] = {"index": 0, "finish_reason": said.finish, "message": message}
        return {**head, "choices": [choice], "usage": usage(said)}
    choice = {"index": 0, "message": message, "logprobs": _chat_chances(said, given), "finish_reason": said.finish}
    fingerprint = _FINGERPRINTS.get(given["model"], _FINGERPRINT)
    return {**head, "choices": [choice], "usage": usage(said), "system_fingerprint": fingerprint}


def completion(ep: Episode, said: answers.GivenAnswer, given: Mapping[str, Any], text: str) -> dict[str, Any]:
    """Return a completion as the API sends it; of pieces, as the server puts them together.

    Args:
        given: the arguments of the call.
        text: what is shown, its prompt in front where that was asked for.
    """
    head = _head(ep, said, given["model"], "text_completion")
    if given["stream"]:
        choice: dict[str, Any] = {"index": 0, "text": text, "finish_reason": said.finish}
        return {**head, "choices": [choice], "usage": usage(said)}
    chances = None if given.get("logprobs") is None else _text_chances(text, given["logprobs"])
    choice = {"text": text, "index": 0, "logprobs": chances, "finish_reason": said.finish}
    fingerprint = _FINGERPRINTS.get(given["model"], _FINGERPRINT)
    return {**head, "choices": [choice], "usage": usage(said), "system_fingerprint": fingerprint}


def _head(ep: Episode, said: answers.GivenAnswer, model: str, kind: str) -> dict[str, Any]:
    return {"id": said.id, "object": kind, "created": ep.now_ms // 1000, "model": model}


def _chat_chances(said: answers.GivenAnswer, given: Mapping[str, Any]) -> dict[str, Any] | None:
    if not given.get("logprobs"):
        return None
    alternatives = given.get("top_logprobs") or 0
    chances = {"content": _chances(said.text, alternatives)}
    return chances | ({"reasoning_content": _chances(said.reasoning, alternatives)} if said.reasoning else {})


def _chances(text: str, alternatives: int) -> list[dict[str, Any]]:
    tokens = [
        {"token": token, "logprob": _CERTAIN, "bytes": list(token.encode(errors="replace"))}
        for token in answers.tokens_of(text)
    ]
    # A list may be shorter than what was asked for; here it never has a second.
    return [{**token, "top_logprobs": [token] if alternatives else []} for token in tokens]


def _text_chances(text: str, alternatives: int) -> dict[str, Any]:
    tokens = answers.tokens_of(text)
    return {
        "text_offset": [sum(map(len, tokens[:number])) for number in range(len(tokens))],
        "token_logprobs": [_CERTAIN] * len(tokens),
        "tokens": tokens,
        "top_logprobs": [{token: _CERTAIN} if alternatives else {} for token in tokens],
    }
