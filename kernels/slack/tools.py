"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import channels, messages, reactions, users

TOOLS = (
    Tool("slack_list_channels", channels.list_channels),
    Tool("slack_post_message", messages.post_message, writes=("messages", "channels", "members")),
    Tool(
        "slack_reply_to_thread", messages.reply_to_thread, writes=("messages", "subscriptions", "channels", "members")
    ),
    Tool("slack_add_reaction", reactions.add_reaction, writes=("reactions",)),
    Tool("slack_get_channel_history", messages.get_channel_history),
    Tool("slack_get_thread_replies", messages.get_thread_replies),
    Tool("slack_get_users", users.get_users),
    Tool("slack_get_user_profile", users.get_user_profile),
)
