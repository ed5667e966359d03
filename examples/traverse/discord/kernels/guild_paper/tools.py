"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import tool_add_multiple_reactions, tool_add_reaction, tool_add_role, tool_create_text_channel, tool_delete_channel, tool_get_server_info, tool_get_user_info, tool_list_members, tool_moderate_message, tool_read_messages, tool_remove_reaction, tool_remove_role, tool_send_message

TOOLS = (
    Tool("get_server_info", tool_get_server_info.get_server_info),
    Tool("list_members", tool_list_members.list_members),
    Tool("add_role", tool_add_role.add_role, writes=("member_roles",)),
    Tool("remove_role", tool_remove_role.remove_role, writes=("member_roles",)),
    Tool("create_text_channel", tool_create_text_channel.create_text_channel, writes=("counters", "channels")),
    Tool("delete_channel", tool_delete_channel.delete_channel, writes=("channels", "messages", "reactions")),
    Tool("add_reaction", tool_add_reaction.add_reaction, writes=("reactions",)),
    Tool("add_multiple_reactions", tool_add_multiple_reactions.add_multiple_reactions, writes=("reactions",)),
    Tool("remove_reaction", tool_remove_reaction.remove_reaction, writes=("reactions",)),
    Tool("send_message", tool_send_message.send_message, writes=("counters", "messages")),
    Tool("read_messages", tool_read_messages.read_messages),
    Tool("get_user_info", tool_get_user_info.get_user_info),
    Tool("moderate_message", tool_moderate_message.moderate_message),
)
