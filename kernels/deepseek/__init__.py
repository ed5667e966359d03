"""DeepSeek, as deepseek-mcp-server shows it: eleven tools for chats, completions, pictures and an account."""

from farm.appkit import App, Envelope, Profile
from farm.appkit.dialects import Zod3, Zod4

from . import errors, rules
from .prompts import PROMPTS
from .resources import RESOURCES, TEMPLATES, TEMPLATES_2025
from .tools import TOOLS, TOOLS_2025

APP = App(
    name="deepseek",
    title="DeepSeek",
    category="generation",
    dialect=Zod4(
        sdk="2.0.0",
        patterns=rules.PATTERNS,
        rules={"chat_completion": rules.chat, "create_response": rules.response},
        part_rules={
            "chat_completion": {"message": rules.chat_part, "messages": rules.chat_message},
            "create_response": {"input": rules.response_item},
            "upload_file": {"file_data": rules.upload_data},
        },
    ),
    tools=TOOLS,
    ids={"answer": "{uuid}", "call": "call_00_{alnum:24}", "file": "file-api-{hex:32}"},
    envelope=Envelope(refusal=errors.answer),
    reference="deepseek",
    prompts=PROMPTS,
    resources=RESOURCES,
    templates=TEMPLATES,
    profiles={
        "paper-2025": Profile(
            note="Version 0.2.1 with two tools, which the MCP-Persona paper of 2025 probably gave its agents: with it, "
            "its number of tools comes out. Which version it was is inferred; what they do is read in their source.",
            tools_json="tools.v0.2.1.json",
            tools=TOOLS_2025,
            templates=TEMPLATES_2025,
            dialect=Zod3(sdk="1.3.1"),
            envelope=Envelope(refusal=errors.answer_2025),
            recorded=("0.2.1", "0.1.0"),
        )
    },
    menus={
        # What an assistant beside a person needs most, most needed first.
        "desktop": (
            "chat_completion",
            "get_user_balance",
            "list_models",
            "list_conversations",
            "reset_conversation",
            "completion",
            "create_response",
            "upload_file",
            "list_files",
        ),
    },
)
