"""What the real MCPollinations does."""

from farm.testing import Fact

_RUN = "https://github.com/pinkpixel-dev/MCPollinations at 6498564, run in front of a stand-in for the service"
_URL = "https://url.spec.whatwg.org/#urlencoded-serializing"

FACTS = {
    "recorded": Fact(_RUN, "Successes are indented JSON, a text, or a picture and a text, without isError; the service out of reach is 'fetch failed'."),
    "prompt": Fact(_RUN, "A prompt that is missing, empty or no string is refused, before anything else; so are arguments left out."),
    "lists": Fact(_RUN, "The lists never look at their arguments; the voices are the server's own."),
    "unknown": Fact(_RUN, "An unknown tool is -32601 'MCP error -32601: Unknown tool: …'."),
    "url": Fact(_RUN, "The address holds model, seed, width and height where they are not empty, enhance where it is true, nologo, private and safe, in this order."),
    "url-escapes": Fact(_URL, "The prompt is escaped as a part of a path, the rest as a form."),
    "safe": Fact(_RUN, "safe is asked for its text, which null has not."),
    "picture": Fact(_RUN, "A picture comes as base64 JPEG, whatever the file is called, with what was asked as metadata.",
                    differs="It is drawn by rule."),
    "size": Fact(_RUN, "Sizes are told back as they came.", differs="What the service makes of odd ones is inferred."),
    "files": Fact(_RUN, "A file is named as told or by prompt, time and digits; a name that is taken gets _1, _2 …"),
    "formats": Fact(_RUN, "generateImage takes an unknown format for png; the other two take any, in lower case, and fail on what is no string."),
    "folders": Fact(_RUN, "Folders are made as needed; what cannot be one is refused in Node's words.",
                    differs="The disk is empty but for what was saved."),
    "others": Fact(_RUN, "An image address is a string, several between commas, or a list; anything else is refused, after the prompt."),
    "service": Fact(_RUN, "A status of the service is 'Failed to …: …' behind the tool's own words.", differs="Which status comes when is inferred."),
    "audio": Fact(_RUN, "Sound is played, and only what was asked comes back; voiceInstructions count though no schema has them."),
    "text": Fact(_RUN, "A text comes back as it is, no JSON.", differs="It says that it is simulated."),
}  # fmt: skip
