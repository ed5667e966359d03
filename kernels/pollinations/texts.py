"""Texts: what stands in for a language model says so, and gives back how the prompt began."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from farm.appkit import Episode, Result
from farm.appkit.formats.javascript import js_is_true, js_string, js_well_formed

from . import errors, urls
from .models import is_known

_QUOTED_MAX = 160


def _is_there(value: Any) -> bool:
    return value is not None


# What changes the answer, and when the server puts it into the address at all.
_SENT: dict[str, Callable[[Any], bool]] = {
    "seed": lambda _: True,
    "temperature": _is_there,
    "top_p": _is_there,
    "system": js_is_true,
}


def respond_text(ep: Episode, /, **args: Any) -> Result:
    """Return a text that does not pretend to be a model's.

    Args:
        prompt: what is asked.
        model: one of listTextModels; empty is the service's own choice.
        seed, temperature, top_p, system: change which sentence is said.

    Raises:
        PromptRequired, MalformedUri: there is no prompt, or none that could stand in an address.
        ServiceFailed: no such model (inferred).
    """
    prompt = urls.require_prompt(args)
    named = args.get("model", "openai")
    model = (js_string(named) if js_is_true(named) else "") or "openai"
    urls.quote_component(prompt)
    if not is_known(ep, "text_models", model):
        raise errors.ServiceFailed(act="generate text", status="Not Found")
    drawn = {"seed": ep.hash("seed", js_well_formed(prompt), ep.now_ms, ep.writes)}
    given = {**drawn, **args}
    asked = [js_string(given[name]) for name, is_sent in _SENT.items() if name in given and is_sent(given[name])]
    replies = ep.reference.all("SELECT text FROM replies ORDER BY text")
    said = str(replies[urls.number(prompt, model, *asked) % len(replies)]["text"])
    quoted = prompt if len(prompt) <= _QUOTED_MAX else f"{prompt[:_QUOTED_MAX]}…"
    count = len(prompt.split())
    return said.format(model=model, words=f"{count} word{'s' * (count != 1)}", quoted=quoted)
