"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import accounts, chats, completions, conversations, files, responses, turns

TOOLS = (
    # What clear_conversation forgot stays forgotten when the call fails.
    Tool(
        "chat_completion", chats.chat_completion, writes=("conversations", "messages", "charges"), commits_on_error=True
    ),
    Tool("completion", completions.completion, writes=("charges",)),
    Tool("create_response", responses.create_response, writes=("charges",)),
    Tool("list_models", accounts.list_models),
    Tool("get_user_balance", accounts.get_user_balance),
    Tool("upload_file", files.upload_file, writes=("files",)),
    Tool("list_files", files.list_files),
    Tool("retrieve_file", files.retrieve_file),
    Tool("delete_file", files.delete_file, writes=("files",)),
    Tool("reset_conversation", conversations.reset_conversation, writes=("conversations", "messages")),
    Tool("list_conversations", conversations.list_conversations),
)

TOOLS_2025 = (
    Tool("chat_completion", turns.chat_completion, writes=("charges",)),
    # The message is in the history before the API is asked.
    Tool(
        "multi_turn_chat", turns.multi_turn_chat, writes=("conversations", "messages", "charges"), commits_on_error=True
    ),
)
