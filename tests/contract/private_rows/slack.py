"""Slack: what is private or direct is its members'."""

from tests.contract.private_rows.rules import Rule

MEMBERS = "SELECT user_id FROM members WHERE channel_id = r.{key}"
PRIVATE = "EXISTS (SELECT 1 FROM channels c WHERE c.id = r.channel_id AND (c.is_private OR c.kind IN ('im', 'mpim')))"

RULES = (
    Rule("messages", "text", MEMBERS.format(key="channel_id"), PRIVATE),
    Rule("messages", "files", MEMBERS.format(key="channel_id"), PRIVATE),
    Rule("messages", "attachments", MEMBERS.format(key="channel_id"), PRIVATE),
    Rule("channels", "topic", MEMBERS.format(key="id"), "r.is_private"),
    Rule("channels", "purpose", MEMBERS.format(key="id"), "r.is_private"),
    Rule("channels", "name", MEMBERS.format(key="id"), "r.is_private AND r.kind IN ('channel', 'group')"),
)
