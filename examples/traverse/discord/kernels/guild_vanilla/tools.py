"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import servers, talk

TOOLS = (
    Tool("get_server_info", servers.get_server_info),
    Tool("list_members", servers.list_members),
    Tool("add_role", servers.add_role, writes=("member_roles",)),
    Tool("remove_role", servers.remove_role, writes=("member_roles",)),
    Tool("create_text_channel", servers.create_text_channel, writes=("channels", "creations")),
    Tool("delete_channel", servers.delete_channel, writes=("channels", "messages")),
    Tool("add_reaction", talk.add_reaction, writes=("reactions",)),
    Tool("add_multiple_reactions", talk.add_multiple_reactions, writes=("reactions",), commits_on_error=True),
    Tool("remove_reaction", talk.remove_reaction, writes=("reactions",)),
    Tool("send_message", talk.send_message, writes=("channels", "messages", "creations")),
    Tool("read_messages", talk.read_messages),
    Tool("get_user_info", servers.get_user_info),
    Tool("moderate_message", talk.moderate_message),
)
