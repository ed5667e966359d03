"""Texts: what stands in for a language model says so, and gives back how the prompt began."""

from __future__ import annotations

from typing import Any

from farm.formats.javascript import js_string
from farm.kernel import Episode, Result

from . import errors, requests
from .models import is_known

_QUOTED_MAX = 160
_CHANGING = ("seed", "temperature", "top_p", "system")


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
    prompt = requests.require_prompt(args)
    model = js_string(args.get("model", "openai") or "openai")
    requests.quote_component(prompt)
    if not is_known(ep, "text_models", model):
        raise errors.ServiceFailed(act="generate text", status="Not Found")
    drawn = {"seed": ep.hash("seed", requests.kept(prompt), ep.now_ms, ep.writes)}
    given = {**drawn, **args}
    asked = [js_string(given[name]) for name in _CHANGING if name in given]
    replies = ep.reference.all("SELECT text FROM replies ORDER BY text")
    said = str(replies[requests.number(prompt, model, *asked) % len(replies)]["text"])
    quoted = prompt if len(prompt) <= _QUOTED_MAX else f"{prompt[:_QUOTED_MAX]}…"
    return said.format(model=model, words=len(prompt.split()), quoted=quoted)
