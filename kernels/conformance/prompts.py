"""The fixture's prompts."""

from collections.abc import Mapping
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from . import rounds
from .contents import image, resource, text

Body = dict[str, Any]


def _argument(name: str, description: str) -> Body:
    return {"name": name, "description": description, "required": True}


PROMPTS: list[Body] = [
    {"name": "test_simple_prompt", "description": "A prompt without arguments."},
    {
        "name": "test_prompt_with_arguments",
        "description": "A prompt with two arguments.",
        "arguments": [_argument("arg1", "First test argument"), _argument("arg2", "Second test argument")],
    },
    {
        "name": "test_prompt_with_embedded_resource",
        "description": "A prompt with a resource in it.",
        "arguments": [_argument("resourceUri", "URI of the resource to embed")],
    },
    {"name": "test_prompt_with_image", "description": "A prompt with a picture in it."},
    {"name": "test_input_required_result_prompt", "description": "A prompt that asks for its context first."},
]


def _said(*contents: Any) -> Body:
    return {"messages": [{"role": "user", "content": content} for content in contents]}


def get(name: str, arguments: Mapping[str, str], responses: Mapping[str, Any]) -> Body:
    """Return a prompt's messages, or what it asks for first.

    Raises:
        MCPError: there is no such prompt, or an argument is missing.
    """
    try:
        return _get(name, arguments, responses)
    except KeyError as missing:
        raise MCPError(code=INVALID_PARAMS, message=f"prompt {name} needs argument {missing}") from None


def _get(name: str, arguments: Mapping[str, str], responses: Mapping[str, Any]) -> Body:
    match name:
        case "test_simple_prompt":
            return _said(text("This is a simple prompt for testing."))
        case "test_prompt_with_arguments":
            return _said(text(f"Prompt with arguments: arg1='{arguments['arg1']}', arg2='{arguments['arg2']}'"))
        case "test_prompt_with_embedded_resource":
            embedded = resource(arguments["resourceUri"], "text/plain", "Embedded resource content for testing.")
            return _said(embedded, text("Please process the embedded resource above."))
        case "test_prompt_with_image":
            return _said(image(), text("Please analyze the image above."))
        case "test_input_required_result_prompt":
            given = rounds.elicited(responses.get("user_context"), "context")
            if given is None:
                return rounds.ask(user_context=rounds.elicit("What context should the prompt use?", "context"))
            return _said(text(f"The context is: {given}"))
        case _:
            raise MCPError(code=INVALID_PARAMS, message=f"Unknown prompt: {name}")
