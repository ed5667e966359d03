"""Every tool of the server, in its order, with the tables a call may change.

Setting up keeps what it wrote before it failed, and a call that kills the server loses what the server was told: both
are refusals that change ``servers``.
"""

from farm.appkit import Tool

from . import connections, contents, lists, providers, sending, settings

TOOLS = (
    Tool("send_email", sending.send_email, writes=("messages", "attachments", "deliveries")),
    Tool("get_recent_emails", lists.get_recent_emails, writes=("servers",), commits_on_error=True),
    Tool("get_email_content", contents.get_email_content, writes=("servers",), commits_on_error=True),
    Tool("setup_email_account", settings.setup_email_account, writes=("servers",), commits_on_error=True),
    Tool("list_supported_providers", providers.list_supported_providers),
    Tool("configure_email_server", settings.configure_email_server, writes=("servers",), commits_on_error=True),
    Tool("test_email_connection", connections.test_email_connection),
)
