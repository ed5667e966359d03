"""Resources: what the server says of itself, the live list of models, and the conversations that it remembers."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from farm.appkit import Episode, Json, ProtocolError, Resource, ResourceTemplate

from .accounts import models
from .conversations import conversation_ids, remembered

_INDENTED = Json(indented=True)
_UNESCAPED = "!'()*-._~"  # what encodeURIComponent leaves, beside letters and digits
_MODEL = "deepseek-flash"
# Path, method and tool are the real server's; the sentences are ours.
_ENDPOINTS = (
    ("/chat/completions", "POST", "chat_completion", "Chats: text and pictures, reasoning, tools, JSON, streams"),
    ("/responses", "POST", "create_response", "Responses: text and pictures, reasoning, functions, search, streams"),
    ("/beta/completions", "POST", "completion", "Completions that fill a gap"),
    ("/models", "GET", "list_models", "The models on offer"),
    ("/files", "POST", "upload_file", "Store a picture, to name it by file_id later"),
    ("/files", "GET", "list_files", "The stored pictures"),
    ("/files/{file_id}", "GET", "retrieve_file", "What is known of a stored picture"),
    ("/files/{file_id}", "DELETE", "delete_file", "Remove a stored picture"),
    ("/user/balance", "GET", "get_user_balance", "What is left on the account"),
)


class MalformedUri(ProtocolError):
    """URI malformed"""


def endpoints(ep: Episode) -> str:
    """Return which tool stands for which endpoint of the API."""
    names = ("endpoint", "method", "tool", "description")
    return _INDENTED.text({"endpoints": [dict(zip(names, each, strict=True)) for each in _ENDPOINTS]})


def runtime(ep: Episode) -> str:
    """Return what the server says of its own process."""
    told: dict[str, Any] = {
        "server_name": "deepseek-mcp-server",
        "server_version": "1.0.1",
        "default_model": _MODEL,
        "current_models": [_MODEL],
        "legacy_model_aliases": ["deepseek-v4-flash", "deepseek-v4-flash-vision-exp"],
        "phasing_out_models": ["deepseek-v4-pro"],
        "conversation_count": len(conversation_ids(ep)),
        "supports_streaming": True,
        "supports_thinking_mode": True,
        "supports_vision": True,
        "supports_files_api": True,
    }
    return _INDENTED.text(told)


def live_models(ep: Episode) -> str:
    """Return the list of models as the API has it now."""
    return _INDENTED.text(models(ep))


def conversation(ep: Episode, *, conversationId: str) -> str:  # the template's own name
    """Return what was said in a conversation so far; nothing of one that there is not.

    Raises:
        MalformedUri: the id is not percent-encoded UTF-8.
    """
    conversation_id = _decoded(conversationId)
    messages = remembered(ep, conversation_id)
    told = {"conversation_id": conversation_id, "message_count": len(messages), "messages": messages}
    return _INDENTED.text(told)


def _decoded(part: str) -> str:
    if re.search(r"%(?![0-9a-fA-F]{2})", part):
        raise MalformedUri
    try:
        return unquote_to_bytes(part).decode()
    except UnicodeDecodeError:
        raise MalformedUri from None


def list_conversations(ep: Episode) -> list[dict[str, str]]:
    """Return a description of each conversation.

    Reads all conversations: the list has no pages.
    """
    return [
        {
            "uri": f"deepseek://conversations/{quote(each, safe=_UNESCAPED)}",
            "name": f"Conversation {each}",
            "description": "What chat_completion keeps of this conversation",
        }
        for each in conversation_ids(ep)
    ]


RESOURCES = (
    Resource("deepseek://api/endpoints", endpoints),
    Resource("deepseek://api/runtime", runtime),
    Resource("deepseek://api/models/live", live_models),
)
TEMPLATES = (ResourceTemplate("deepseek://conversations/{conversationId}", conversation, lists=list_conversations),)


_MODELS_2025 = (
    {"id": "deepseek-chat", "name": "DeepSeek Chat", "description": "For conversations of any kind"},
    {"id": "deepseek-reasoner", "name": "DeepSeek Reasoner", "description": "For problems that need reasoning"},
)
_CONFIGURATIONS_2025 = (
    {
        "id": "temperature",
        "name": "Temperature",
        "type": "number",
        "description": "How random an answer may be, 0.0 to 2.0",
        "default": 0.7,
        "minimum": 0,
        "maximum": 2,
    },
    {
        "id": "max_tokens",
        "name": "Maximum Tokens",
        "type": "integer",
        "description": "The most tokens of an answer",
        "default": 8000,
        "minimum": 1,
    },
    {
        "id": "top_p",
        "name": "Top P",
        "type": "number",
        "description": "The share of likely tokens to choose from, 0.0 to 1.0",
        "default": 1,
        "minimum": 0,
        "maximum": 1,
    },
    {
        "id": "frequency_penalty",
        "name": "Frequency Penalty",
        "type": "number",
        "description": "How much frequent tokens are avoided, -2.0 to 2.0",
        "default": 0.1,
        "minimum": -2,
        "maximum": 2,
    },
    {
        "id": "presence_penalty",
        "name": "Presence Penalty",
        "type": "number",
        "description": "How much tokens that were used are avoided, -2.0 to 2.0",
        "default": 0,
        "minimum": -2,
        "maximum": 2,
    },
)


def model_2025(ep: Episode, *, modelId: str) -> list[dict[str, Any]]:  # the template's own name
    """Return what the old server says of a model.

    Of an unknown one the real server sends no text at all, which clients reject; here the text is empty.
    """
    found = [each for each in _MODELS_2025 if each["id"] == modelId]
    return [{"uri": f"models://{modelId}", "text": _INDENTED.text(found[0]) if found else ""}]


def configuration_2025(ep: Episode, *, modelId: str) -> list[dict[str, Any]]:  # the template's own name
    """Return every parameter, whichever was asked for, as the old server does."""
    return [{"uri": f"config://{modelId}/{each['id']}", "text": _INDENTED.text(each)} for each in _CONFIGURATIONS_2025]


def _listed_2025(scheme: str, rows: Any) -> list[dict[str, str]]:
    return [
        {"uri": f"{scheme}://{each['id']}", "name": each["name"], "description": each["description"]} for each in rows
    ]


TEMPLATES_2025 = (
    ResourceTemplate("models://{modelId}", model_2025, lists=lambda ep: _listed_2025("models", _MODELS_2025)),
    ResourceTemplate(
        "config://{modelId}", configuration_2025, lists=lambda ep: _listed_2025("config", _CONFIGURATIONS_2025)
    ),
)
