"""What Pollinations and its MCP server answer when a call fails for a reason outside of it."""

from __future__ import annotations

from farm.appkit.faults import FaultAnswer, Faults

from .errors import FetchFailed, ServiceFailed

_SOURCE = "the server's source: the status text"
_ACTS = {
    "generateImage": "generate image",
    "editImage": "edit image",
    "generateImageFromReference": "generate image from reference",
    "listImageModels": "list models",
    "respondAudio": "generate audio",
    "listAudioVoices": "list text models",
    "respondText": "generate text",
    "listTextModels": "list text models",
}


def _status(text: str) -> FaultAnswer:
    return FaultAnswer(
        lambda _, tool, __: ServiceFailed(act=_ACTS.get(tool, "generate image"), status=text), "recorded", _SOURCE
    )


FAULTS: Faults = {
    "rate_limited": _status("Too Many Requests"),
    "token_expired": _status("Unauthorized"),
    "no_permission": _status("Forbidden"),
    "server_error": _status("Internal Server Error"),
    "timeout": FaultAnswer(lambda _, __, ___: FetchFailed(), "recorded", "the server's source"),
}
