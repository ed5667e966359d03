"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import recorded

TOOLS = (
    Tool("get_server_info", recorded.get_server_info),
    Tool("list_members", recorded.list_members),
    Tool("add_role", recorded.add_role),
    Tool("remove_role", recorded.remove_role),
    Tool("create_text_channel", recorded.create_text_channel),
    Tool("delete_channel", recorded.delete_channel),
    Tool("add_reaction", recorded.add_reaction),
    Tool("add_multiple_reactions", recorded.add_multiple_reactions),
    Tool("remove_reaction", recorded.remove_reaction),
    Tool("send_message", recorded.send_message),
    Tool("read_messages", recorded.read_messages),
    Tool("get_user_info", recorded.get_user_info),
    Tool("moderate_message", recorded.moderate_message),
)
