"""What the server puts into the address that it asks the service by."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any
from urllib.parse import quote, quote_plus

from farm.appkit.formats.javascript import js_string, js_well_formed

from . import errors

# What encodeURIComponent leaves as it is, and what a form leaves.
_COMPONENT, _FORM = "!~*'()-_.", "*-._"


def require_prompt(args: dict[str, Any]) -> str:
    """Return the prompt.

    Raises:
        PromptRequired: it is empty or no string.
    """
    prompt = args.get("prompt")
    if not isinstance(prompt, str) or not prompt:
        raise errors.PromptRequired
    return prompt


def quote_component(text: str) -> str:
    """Return what ``encodeURIComponent`` gives.

    Raises:
        MalformedUri: half a character.
    """
    try:
        return quote(text, safe=_COMPONENT)
    except UnicodeEncodeError:
        raise errors.MalformedUri from None


def number(*made_of: str) -> int:
    """Return what decides an answer: the same in every episode, as the service answers everybody alike."""
    return int.from_bytes(blake2b("\0".join(made_of).encode("utf-8", "replace"), digest_size=8).digest(), "big")


def query(parameters: Iterable[tuple[str, Any]]) -> str:
    """Return what ``URLSearchParams`` gives; ``~`` is written out in a form.

    Raises:
        NotPrimitive: an object with a ``toString`` of its own.
    """
    return "&".join(f"{_form(name)}={_form(_text(value))}" for name, value in parameters)


def _text(value: Any) -> str:
    # What JSON holds is no function, and such an object has no text.
    if isinstance(value, dict) and "toString" in value:
        raise errors.NotPrimitive
    return js_string(value)


def _form(text: str) -> str:
    return quote_plus(js_well_formed(text), safe=_FORM).replace("~", "%7E")
