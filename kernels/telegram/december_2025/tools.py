"""Every tool of the server of December 2025, in its order, with the tables a call may change."""

from __future__ import annotations

from farm.appkit import Tool

from .. import bots as today_bots
from .. import chats as today_chats
from .. import contacts as today_contacts
from .. import drafts as today_drafts
from .. import files as today_files
from .. import invites as today_invites
from .. import media as today_media
from .. import members as today_members
from .. import messages as today_messages
from .. import polls as today_polls
from .. import profiles as today_profiles
from .. import reactions as today_reactions
from ..ids import as_in_2025
from . import admin_log, bots, chats, contacts, media, members, messages, profiles

TOOLS_2025 = (
    Tool("get_chats", chats.get_chats),
    Tool("get_messages", messages.get_messages),
    Tool("send_message", messages.send_message, writes=("chats", "members", "messages")),
    Tool(
        "subscribe_public_channel",
        as_in_2025(today_chats.subscribe_public_channel),
        writes=("events", "members", "messages"),
    ),
    Tool("list_inline_buttons", bots.list_inline_buttons),
    Tool("press_inline_button", bots.press_inline_button, writes=("presses",)),
    Tool("list_contacts", contacts.list_contacts),
    Tool("search_contacts", contacts.search_contacts),
    Tool("get_contact_ids", as_in_2025(today_contacts.get_contact_ids)),
    Tool("list_messages", messages.list_messages),
    Tool("list_topics", chats.list_topics),
    Tool("list_chats", chats.list_chats),
    Tool("get_chat", chats.get_chat),
    Tool("get_direct_chat_by_contact", chats.get_direct_chat_by_contact),
    Tool("get_contact_chats", chats.get_contact_chats),
    Tool("get_last_interaction", messages.get_last_interaction),
    Tool("get_message_context", messages.get_message_context),
    Tool("add_contact", contacts.add_contact, writes=("contacts",)),
    Tool("delete_contact", as_in_2025(today_contacts.delete_contact), writes=("contacts",)),
    Tool("block_user", as_in_2025(today_contacts.block_user), writes=("blocks",)),
    Tool("unblock_user", as_in_2025(today_contacts.unblock_user), writes=("blocks",)),
    Tool("get_me", as_in_2025(today_profiles.get_me)),
    Tool("create_group", as_in_2025(today_chats.create_group), writes=("chats", "members", "messages")),
    Tool("invite_to_group", as_in_2025(today_members.invite_to_group), writes=("events", "members", "messages")),
    Tool("leave_chat", as_in_2025(today_chats.leave_chat), writes=("events", "members", "messages")),
    Tool("get_participants", members.get_participants),
    Tool("send_file", media.send_file, writes=("chats", "media", "members", "messages")),
    Tool("download_media", media.download_media, writes=("files",)),
    Tool("update_profile", as_in_2025(today_profiles.update_profile), writes=("users",)),
    Tool("set_profile_photo", profiles.set_profile_photo, writes=("photos",)),
    Tool("delete_profile_photo", as_in_2025(today_profiles.delete_profile_photo)),
    Tool("get_privacy_settings", as_in_2025(today_profiles.get_privacy_settings)),
    Tool("set_privacy_settings", as_in_2025(today_profiles.set_privacy_settings), writes=("privacy",)),
    Tool("import_contacts", as_in_2025(today_contacts.import_contacts)),
    Tool("export_contacts", as_in_2025(today_contacts.export_contacts)),
    Tool("get_blocked_users", as_in_2025(today_contacts.get_blocked_users)),
    Tool("create_channel", as_in_2025(today_chats.create_channel), writes=("chats", "members", "messages")),
    Tool("edit_chat_title", as_in_2025(today_chats.edit_chat_title), writes=("chats", "events", "messages")),
    Tool("edit_chat_photo", chats.edit_chat_photo, writes=("events", "messages", "photos")),
    Tool("delete_chat_photo", as_in_2025(today_chats.delete_chat_photo), writes=("events", "messages", "photos")),
    Tool("promote_admin", members.promote_admin, writes=("events", "members")),
    Tool("demote_admin", as_in_2025(today_members.demote_admin), writes=("events", "members")),
    Tool("ban_user", as_in_2025(today_members.ban_user), writes=("events", "members")),
    Tool("unban_user", as_in_2025(today_members.unban_user), writes=("events", "members")),
    Tool("get_admins", members.get_admins),
    Tool("get_banned_users", members.get_banned_users),
    Tool("get_invite_link", as_in_2025(today_invites.get_invite_link), writes=("invites",)),
    Tool("join_chat_by_link", as_in_2025(today_invites.join_chat_by_link), writes=("events", "members", "messages")),
    Tool("export_chat_invite", as_in_2025(today_invites.export_chat_invite), writes=("invites",)),
    Tool("import_chat_invite", as_in_2025(today_invites.import_chat_invite), writes=("events", "members", "messages")),
    Tool("send_voice", media.send_voice, writes=("chats", "media", "members", "messages")),
    Tool("forward_message", messages.forward_message, writes=("chats", "members", "messages")),
    Tool("edit_message", as_in_2025(today_messages.edit_message), writes=("events", "messages")),
    Tool("delete_message", as_in_2025(today_messages.delete_message), writes=("events", "messages")),
    Tool("pin_message", as_in_2025(today_messages.pin_message), writes=("chats", "events", "members", "messages")),
    Tool("unpin_message", as_in_2025(today_messages.unpin_message), writes=("events", "messages")),
    Tool("mark_as_read", as_in_2025(today_chats.mark_as_read), writes=("dialogs",)),
    Tool("reply_to_message", messages.reply_to_message, writes=("chats", "members", "messages")),
    Tool("get_media_info", as_in_2025(today_media.get_media_info)),
    Tool("search_public_chats", contacts.search_public_chats),
    Tool("search_messages", messages.search_messages),
    Tool("resolve_username", as_in_2025(today_profiles.resolve_username)),
    Tool("mute_chat", as_in_2025(today_chats.mute_chat), writes=("chats", "dialogs", "members")),
    Tool("unmute_chat", as_in_2025(today_chats.unmute_chat), writes=("chats", "dialogs", "members")),
    Tool("archive_chat", chats.archive_chat, writes=("dialogs",)),
    Tool("unarchive_chat", chats.unarchive_chat, writes=("chats", "dialogs", "members")),
    Tool("get_sticker_sets", as_in_2025(today_media.get_sticker_sets)),
    Tool("send_sticker", media.send_sticker, writes=("chats", "media", "members", "messages")),
    Tool("get_gif_search", media.get_gif_search),
    Tool("send_gif", as_in_2025(today_files.send_gif)),
    Tool("get_bot_info", bots.get_bot_info),
    Tool("set_bot_commands", as_in_2025(today_bots.set_bot_commands)),
    Tool("get_history", messages.get_history),
    Tool("get_user_photos", as_in_2025(today_profiles.get_user_photos)),
    Tool("get_user_status", as_in_2025(today_profiles.get_user_status)),
    Tool("get_recent_actions", admin_log.get_recent_actions),
    Tool("get_pinned_messages", messages.get_pinned_messages),
    Tool("create_poll", as_in_2025(today_polls.create_poll), writes=("chats", "media", "members", "messages")),
    Tool("send_reaction", as_in_2025(today_reactions.send_reaction), writes=("reactions",)),
    Tool("remove_reaction", as_in_2025(today_reactions.remove_reaction), writes=("reactions",)),
    Tool("get_message_reactions", as_in_2025(today_reactions.get_message_reactions)),
    Tool("save_draft", as_in_2025(today_drafts.save_draft), writes=("drafts",)),
    Tool("get_drafts", as_in_2025(today_drafts.get_drafts)),
    Tool("clear_draft", as_in_2025(today_drafts.clear_draft), writes=("drafts",)),
)
