"""Every tool of the server, with the tables a call may change. Its SDK lists tools by name, so that is the order."""

from farm.appkit import Tool

from . import comments, feeds, interactions, notes, notifications, profiles, publications, searches, sessions

TOOLS = (
    Tool("check_login_status", sessions.check_login_status),
    Tool("delete_cookies", sessions.delete_cookies, writes=("sessions",)),
    Tool("favorite_feed", interactions.favorite_feed, writes=("favorites",)),
    Tool("get_feed_detail", notes.get_feed_detail),
    Tool("get_login_qrcode", sessions.get_login_qrcode),
    Tool("get_my_profile", profiles.get_my_profile),
    Tool("get_unread_count", notifications.get_unread_count),
    Tool("like_feed", interactions.like_feed, writes=("likes",)),
    Tool("like_notification", notifications.like_notification, writes=("comment_likes",)),
    Tool("list_feeds", feeds.list_feeds),
    Tool("list_notifications", notifications.list_notifications, writes=("notifications",)),
    Tool("post_comment_to_feed", comments.post_comment_to_feed, writes=("comments",)),
    Tool("publish_content", publications.publish_content, writes=("notes", "note_images", "note_products")),
    Tool(
        "publish_with_video",
        publications.publish_with_video,
        writes=("notes", "note_images", "videos", "note_products"),
    ),
    Tool("reply_comment_in_feed", comments.reply_comment_in_feed, writes=("comments",)),
    Tool("reply_notification", notifications.reply_notification, writes=("comments",)),
    Tool("search_feeds", searches.search_feeds),
    Tool("user_profile", profiles.user_profile),
)
