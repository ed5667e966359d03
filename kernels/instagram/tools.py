"""Every tool of the toolkit, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import account_insights, accounts, comments, containers, conversations, media, media_insights, messages

TOOLS = (
    Tool("INSTAGRAM_CREATE_CAROUSEL_CONTAINER", containers.create_carousel, writes=("containers",)),
    Tool("INSTAGRAM_CREATE_MEDIA_CONTAINER", containers.create_container, writes=("containers",)),
    Tool("INSTAGRAM_CREATE_POST", media.publish, writes=("media", "media_children", "containers")),
    Tool("INSTAGRAM_GET_CONVERSATION", conversations.get_conversation),
    Tool("INSTAGRAM_GET_POST_COMMENTS", comments.get_comments),
    Tool("INSTAGRAM_GET_POST_INSIGHTS", media_insights.get_media_insights),
    # A video goes on being processed while one asks for it.
    Tool("INSTAGRAM_GET_POST_STATUS", containers.get_status, writes=("containers",)),
    Tool("INSTAGRAM_GET_USER_INFO", accounts.get_account),
    Tool("INSTAGRAM_GET_USER_INSIGHTS", account_insights.get_account_insights),
    Tool("INSTAGRAM_GET_USER_MEDIA", media.list_media),
    Tool("INSTAGRAM_LIST_ALL_CONVERSATIONS", conversations.list_conversations),
    Tool("INSTAGRAM_LIST_ALL_MESSAGES", messages.list_messages),
    Tool("INSTAGRAM_MARK_SEEN", messages.mark_seen, writes=("conversations",)),
    Tool("INSTAGRAM_REPLY_TO_COMMENT", comments.reply, writes=("comments",)),
    Tool("INSTAGRAM_SEND_IMAGE", messages.send_image, writes=("messages",)),
    Tool("INSTAGRAM_SEND_TEXT_MESSAGE", messages.send_text, writes=("messages",)),
)
