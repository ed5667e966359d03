"""Sound: it is played on the server's machine, and nothing of it comes back."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, JavaScriptJson, Result
from farm.appkit.formats.javascript import js_is_true, js_string, js_well_formed

from . import errors, urls
from .models import is_known

_PRINTED = JavaScriptJson(indented=True)


def respond_audio(ep: Episode, /, **args: Any) -> Result:
    """Play an answer to a prompt, and tell what was asked.

    Args:
        prompt: what is asked.
        voice: one of listAudioVoices.
        seed: told back.
        voiceInstructions: how it is to be said; honoured, though no schema names it.

    Raises:
        PromptRequired, MalformedUri: there is no prompt, or none that could stand in an address.
        ServiceFailed: no such voice (inferred).
    """
    prompt = urls.require_prompt(args)
    voice, instructions = args.get("voice", "alloy"), args.get("voiceInstructions")
    said = js_string(instructions) if js_is_true(instructions) else ""
    urls.quote_component(said + prompt)
    if not is_known(ep, "voices", js_string(voice)):
        raise errors.ServiceFailed(act="generate audio", status="Bad Request")
    number = ep.next_number("sounds", "number")
    played = {"prompt": js_well_formed(prompt), "voice": js_string(voice), "instructions": js_well_formed(said)}
    ep.db.insert("sounds", number=number, played_ms=ep.now_ms, **played)
    told = {"prompt": prompt, "voice": voice, "model": "openai-audio"}
    told |= {name: args[name] for name in ("seed", "voiceInstructions") if name in args}
    return f"Audio has been played.\n\nAudio metadata: {_PRINTED.text(told)}"
