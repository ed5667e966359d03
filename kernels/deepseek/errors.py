"""Refusals: a status of the API with the message that it sends, or what the server finds wrong itself."""

from __future__ import annotations

from typing import ClassVar

from farm.appkit import Answer, VendorError

_RETRYABLE = frozenset({408, 409, 429, 500, 502, 503, 504})
_SUGGESTIONS = {
    None: "Retry the request and verify network connectivity.",
    402: "Check account balance or billing status.",
}


class ApiError(VendorError):
    """The API refuses, or the server's client for it does. The docstring is the message."""

    status: ClassVar[int | None] = None


ModelNotExist = ApiError.define("model_not_exist", "Model Not Exist", status=400)
InsufficientBalance = ApiError.define("insufficient_balance", "Insufficient Balance", status=402)


class FieldMissing(ApiError):
    """Failed to deserialize the JSON body into the target type: messages[{number}]: missing field `{field}` at line 1 \
column {column}"""

    code, status = "field_missing", 400


class ContentUnreadable(ApiError):  # Of null (inferred); reported of pictures, when the API took none.
    """Failed to deserialize the JSON body into the target type: messages[{number}]: data did not match any variant of \
untagged enum ChatCompletionRequestContent at line 1 column {column}"""

    code, status = "content_unreadable", 400


class ToolNameMisspelled(ApiError):
    """Invalid 'tools[{number}].function.name': string does not match pattern. Expected a string that matches \
the pattern '^[a-zA-Z0-9_-]+$'."""

    code, status = "tool_name_misspelled", 400


class ToolNameTooLong(ApiError):
    """Invalid 'tools[{number}].function.name': string too long. Expected a string with maximum length 64, but got a \
string with length {length} instead."""

    code, status = "tool_name_too_long", 400


class TooManyTools(ApiError):  # The number is documented, the words are inferred.
    """Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length \
{count} instead."""

    code, status = "too_many_tools", 400


class NothingToChoose(ApiError):  # (inferred)
    """Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified."""

    code, status = "nothing_to_choose", 400


ToolNotOffered = ApiError.define(  # (inferred)
    "tool_not_offered", "Tool choice '{name}' not found in 'tools' parameter.", status=400
)
ToolChoiceUnsupported = ApiError.define(
    "tool_choice_unsupported", "Thinking mode does not support this tool_choice", status=400
)
ReasoningLost = ApiError.define(
    "reasoning_lost", "The `reasoning_content` in the thinking mode must be passed back to the API.", status=400
)
AssistantSilent = ApiError.define(
    "assistant_silent", "Invalid assistant message: content or tool_calls must be set", status=400
)


class TooManyTokens(ApiError):
    """Invalid max_tokens value, the valid range of max_tokens is [1, {most}]"""

    code, status = "too_many_tokens", 400


class NoCallBefore(ApiError):
    """Messages with role 'tool' must be a response to a preceding message with 'tool_calls'"""

    code, status = "no_call_before", 400


class CallUnanswered(ApiError):
    """An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. \
(insufficient tool messages following tool_calls message)"""

    code, status = "call_unanswered", 400


class JsonUnnamed(ApiError):
    """Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'."""

    code, status = "json_unnamed", 400


FileNotFound = ApiError.define("file_not_found", "File not found: {file_id}", status=404)  # (inferred)
UnsupportedImage = ApiError.define("unsupported_image", "Unsupported image format; expected JPEG, PNG, GIF, or WebP")
InvalidBase64 = ApiError.define("invalid_base64", "Invalid base64 image data")
OtherImage = ApiError.define("other_image", "Image data URL declares {declared} but contains {found}")
NothingGiven = VendorError.define("nothing_given", "Either 'message' or 'messages' must be provided")
NoFirstMessage = VendorError.define("no_first_message", "Cannot read properties of undefined (reading 'role')")


def answer(tool: str, error: VendorError) -> Answer:
    """Return a refusal as the server shows it: a sentence, and the same as data."""
    assert isinstance(error, ApiError), "the server has no other refusals"
    status = error.status
    suggestion = _SUGGESTIONS.get(status, "Review request fields and argument types.")
    place = "" if status is None else f" ({status})"
    told = {
        "error_type": "deepseek_api_error",
        "status": status,
        "message": error.message,
        "retryable": status is None or status in _RETRYABLE,
        "suggestion": suggestion,
    }
    return Answer(f"DeepSeek API error{place}: {error.message}. {suggestion}", structured=told, is_error=True)


def answer_2025(tool: str, error: VendorError) -> Answer:
    """Return a refusal as the old server threw it."""
    before = "DeepSeek API error: " if isinstance(error, ApiError) else ""
    return Answer(f"{before}{error.message}", structured=False, is_error=True)
