"""Pollinations, as the MCPollinations server shows it: nine tools before one service of pictures, texts, sound."""

from farm.appkit import App, Envelope, JavaScriptJson, Worded
from farm.appkit.dialects import Unchecked, Wording

from .tools import TOOLS

_FAILED = {
    "generateImageUrl": "generating image URL",
    "generateImage": "generating image",
    "editImage": "editing image",
    "generateImageFromReference": "generating image from reference",
    "listImageModels": "listing image models",
    "respondAudio": "generating audio",
    "listAudioVoices": "listing audio voices",
    "respondText": "generating text response",
    "listTextModels": "listing text models",
}
_UNDEFINED = "Cannot destructure property 'prompt' of 'args' as it is undefined."

APP = App(
    name="pollinations",
    title="Pollinations",
    category="generation",
    dialect=Unchecked(
        sdk="typescript 1.32.2",
        unknown=Wording("MCP error -32601: Unknown tool: {tool}", code=-32601),
        # The lists never look at their arguments.
        absent={
            tool: Wording(f"Error {failed}: {_UNDEFINED}")
            for tool, failed in _FAILED.items()
            if not tool.startswith("list")
        },
    ),
    tools=TOOLS,
    envelope=Envelope(json=JavaScriptJson(indented=True), refusal=Worded("Error {tool}: {message}", names=_FAILED)),
    reference="pollinations",
    menus={
        # What an assistant beside a person needs most, most needed first.
        "desktop": (
            "generateImage",
            "respondText",
            "generateImageUrl",
            "respondAudio",
            "editImage",
            "generateImageFromReference",
            "listImageModels",
            "listTextModels",
            "listAudioVoices",
        ),
    },
)
