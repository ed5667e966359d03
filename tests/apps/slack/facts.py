"""What the real Slack, behind the Zencoder MCP server, does."""

from farm.testing import Fact

_API = "https://api.slack.com/methods/"
_RECORDED = "recorded bodies of the Web API"

FACTS = {
    "list-order": Fact(_RECORDED, "conversations.list runs from the oldest id on, shorter ids before longer ones."),
    "list-cursor": Fact(_RECORDED, "Its cursor is base64 of 'team:' and the first id of the next page; empty at the end."),
    "list-visible": Fact(_API + "conversations.list", "Archived channels are left out; private ones need membership."),
    "limit": Fact(_API + "conversations.list", "A limit that is not a whole number from 1 on is invalid_limit.",
                  differs="Slack's answer to fractions is not documented; we refuse them."),
    "post": Fact(_API + "chat.postMessage", "The answer repeats the stored message; POSTs end with missing_charset."),
    "post-user": Fact(_API + "chat.postMessage", "A user id opens the direct message; the answer names its D id."),
    "post-ts": Fact(_API + "chat.postMessage", "A ts is a time to the microsecond, unique in its channel; later posts have later ones."),
    "post-name": Fact(_RECORDED, "'#name' works as a channel and is answered with the C id."),
    "post-escape": Fact("https://docs.slack.dev/messaging/formatting-message-text", "'&', '<', '>' come back escaped."),
    "post-refusals": Fact(_API + "chat.postMessage", "channel_not_found, not_in_channel, is_archived, no_text."),
    "post-long": Fact(_API + "chat.postMessage", "Text over 40 000 characters is cut, with the warning message_truncated."),
    "thread": Fact(_API + "chat.postMessage", "A reply carries thread_ts and parent_user_id; the parent counts it."),
    "thread-broadcast": Fact("https://api.slack.com/events/message/thread_broadcast", "A reply shown to the channel, too, carries its thread.",
                  differs="that it names the parent's author, as other replies do, is inferred"),
    "thread-nested": Fact(_API + "chat.postMessage", "Replying to a reply lands in the thread it belongs to."),
    "thread-gone": Fact("two developer reports, 2021 and 2026", "A reply to a vanished parent becomes an ordinary message."),
    "thread-bad-ts": Fact("inferred", "A malformed thread_ts is invalid_thread_ts."),
    "extra-keys": Fact("recorded with zod 3", "Unknown arguments are dropped: thread_ts on a plain post is lost."),
    "history": Fact(_API + "conversations.history", "Newest first, replies hidden, at most 999."),
    "history-keys": Fact(_RECORDED, "Only messages with replies have thread keys; response_metadata only when has_more."),
    "join": Fact(_RECORDED, "A join is exactly type, subtype, ts, user, text."),
    "history-refusals": Fact(_API + "conversations.history", "channel_not_found for what one cannot see, not_in_channel else."),
    "replies": Fact(_API + "conversations.replies", "Parent first, then replies oldest first."),
    "replies-missing": Fact(_API + "conversations.replies", "No such ts is thread_not_found."),
    "react": Fact(_API + "reactions.add", "Answers ok and the POST warning; the message lists the emoji with its users."),
    "react-order": Fact(_API + "reactions.get", "Each emoji comes once, with its users and their count.",
                  differs="the order, first put first, is inferred"),
    "react-refusals": Fact(_API + "reactions.add", "bad_timestamp, message_not_found, invalid_name, already_reacted, is_archived."),
    "react-limits": Fact(_API + "reactions.add", "too_many_emoji and too_many_reactions at 50 a message and 23 a person.",
                         differs="The numbers are from the help centre, not from the method's page."),
    "users-order": Fact(_RECORDED, "Slackbot first, then the oldest account first; cursor is base64 of 'user:' and an id."),
    "users-shapes": Fact(_RECORDED, "Deactivated members lack colour, names and zone; bots have no mail; Slackbot is no bot."),
    "profile": Fact(_API + "users.profile.get", "The profile has no id; an unknown user is user_not_found."),
}  # fmt: skip
