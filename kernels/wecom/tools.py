"""Every tool of the server, in its order, with the tables a call may change.

A refused call keeps one thing, as at the real server: the address that its tool turned the next message to.
"""

from farm.appkit import Tool

from . import media, messages

TOOLS = (
    Tool("send_template_card", messages.send_template_card),
    Tool("upload_file", media.upload_file, writes=("servers", "media"), commits_on_error=True),
    Tool("send_text", messages.send_text, writes=("messages",)),
    Tool("send_markdown", messages.send_markdown, writes=("servers", "messages"), commits_on_error=True),
    Tool("send_image", messages.send_image, writes=("servers", "messages"), commits_on_error=True),
    Tool("send_news", messages.send_news, writes=("servers", "messages"), commits_on_error=True),
)
