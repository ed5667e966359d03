"""Completion: a text between a prompt and a suffix."""

from __future__ import annotations

from typing import Any

from farm.appkit import Answer, Episode, Result

from . import answers, raw_answers


def completion(ep: Episode, /, **given: Any) -> Result:
    """Go on with a prompt.

    Args:
        prompt, suffix: what stands before and after.
        max_tokens, stop: where it is cut.
        echo: whether the prompt is said again in front.
        logprobs: stand in the raw answer that is no stream.

    Raises:
        ModelNotExist, InsufficientBalance: nothing is said.
    """
    prompt = given["prompt"]
    said = answers.say(
        ep,
        "completion",
        model=given["model"],
        asked=prompt,
        counted_text=prompt + given.get("suffix", ""),
        given=given,
        tokens_max=given.get("max_tokens"),
    )
    text = f"{prompt}{said.text}" if given.get("echo") else said.text
    told = {
        "model": given["model"],
        "text": text,
        "finish_reason": said.finish,
        "usage": raw_answers.usage(said),
        "stream_chunk_count": said.chunks if given["stream"] else None,
    }
    if given["include_raw_response"]:
        told["raw_response"] = raw_answers.completion(ep, said, given, text)
    return Answer(text or "(no completion text returned)", structured=told)
