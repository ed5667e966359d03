"""WeCom: a group is its members'."""

from tests.contract.private_rows.rules import Rule

MEMBERS = "SELECT userid FROM members WHERE chat_id = {chat}"

RULES = (
    Rule("member_messages", "content", MEMBERS.format(chat="r.chat_id")),
    Rule(
        "messages",
        "content",
        MEMBERS.format(chat="(SELECT chat_id FROM robots b WHERE b.webhook_key = r.webhook_key)"),
    ),
)
