"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import channels, members, messages, moderation, reactions, servers, users

TOOLS = (
    Tool("get_server_info", servers.get_server_info),
    Tool("list_members", members.list_members),
    Tool("add_role", members.add_role, writes=("member_roles",)),
    Tool("remove_role", members.remove_role, writes=("member_roles",)),
    Tool("create_text_channel", channels.create_text_channel, writes=("channels",)),
    Tool(
        "delete_channel",
        channels.delete_channel,
        writes=("channels", "overwrites", "webhooks", "messages", "reactions"),
    ),
    Tool("add_reaction", reactions.add_reaction, writes=("reactions",)),
    # What was put on the message before one fails stays there.
    Tool("add_multiple_reactions", reactions.add_multiple_reactions, writes=("reactions",), commits_on_error=True),
    Tool("remove_reaction", reactions.remove_reaction, writes=("reactions",)),
    Tool("send_message", messages.send_message, writes=("messages", "channels")),
    Tool("read_messages", messages.read_messages),
    Tool("get_user_info", users.get_user_info),
    Tool("moderate_message", moderation.moderate_message),
)
