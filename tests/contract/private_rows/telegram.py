"""Telegram: chats are their members', and dialogs, drafts, folders, contacts and aliases one account's."""

from tests.contract.private_rows.rules import Rule

MEMBERS = "SELECT user_id FROM members WHERE chat_id = r.chat_id"
PRIVATE = "EXISTS (SELECT 1 FROM chats c WHERE c.chat_id = r.chat_id AND c.username IS NULL)"
# Whoever has saved somebody's number knows it.
KNOWN_BY = "SELECT owner_id FROM contacts k WHERE k.user_id = r.user_id AND k.is_phone_known"

RULES = (
    Rule("messages", "text", MEMBERS, PRIVATE),
    Rule("chats", "title", MEMBERS, "r.username IS NULL"),
    Rule("chats", "about", MEMBERS, "r.username IS NULL"),
    Rule("topics", "title", MEMBERS, PRIVATE),
    Rule("sticker_sets", "title", "SELECT r.owner_id"),
    Rule("drafts", "text", "SELECT r.user_id"),
    Rule("scheduled_messages", "text", "SELECT r.sender_id"),
    Rule("folders", "title", "SELECT r.owner_id"),
    Rule("users", "phone", f"SELECT r.user_id UNION {KNOWN_BY}"),
    Rule("contacts", "first_name", "SELECT r.owner_id"),
    Rule("aliases", "name", "SELECT r.owner_id"),
)
