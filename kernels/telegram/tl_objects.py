"""Objects of Telegram's API as Telethon 1.42 shows them: in one line as ``str()`` does, and as ``to_dict()`` does.

``FIELDS`` has each constructor's fields in their order: ``!`` marks a flag, which is False where nothing is said, and
``*`` a list, which is empty then; any other field is None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

Made = dict[str, Any]
Layer = Mapping[str, str]
NO_LAYER: Layer = {}

FIELDS = {
    "PeerUser": "user_id",
    "PeerChat": "chat_id",
    "PeerChannel": "channel_id",
    "User": (
        "id is_self! contact! mutual_contact! deleted! bot! bot_chat_history! bot_nochats! verified! restricted! "
        "min! bot_inline_geo! support! scam! apply_min_photo! fake! bot_attach_menu! premium! "
        "attach_menu_enabled! bot_can_edit! close_friend! stories_hidden! stories_unavailable! "
        "contact_require_premium! bot_business! bot_has_main_app! bot_forum_view! access_hash first_name "
        "last_name username phone photo status bot_info_version restriction_reason* bot_inline_placeholder "
        "lang_code emoji_status usernames* stories_max_id color profile_color bot_active_users "
        "bot_verification_icon send_paid_messages_stars"
    ),
    "UserStatusOnline": "expires",
    "UserStatusOffline": "was_online",
    "UserStatusRecently": "by_me!",
    "UserStatusLastWeek": "by_me!",
    "UserStatusLastMonth": "by_me!",
    "UserProfilePhoto": "photo_id dc_id has_video! personal! stripped_thumb",
    "Chat": (
        "id title photo participants_count date version creator! left! deactivated! call_active! call_not_empty! "
        "noforwards! migrated_to admin_rights default_banned_rights"
    ),
    "Channel": (
        "id title photo date creator! left! broadcast! verified! megagroup! restricted! signatures! min! scam! "
        "has_link! has_geo! slowmode_enabled! call_active! call_not_empty! fake! gigagroup! noforwards! "
        "join_to_send! join_request! forum! stories_hidden! stories_hidden_min! stories_unavailable! "
        "signature_profiles! autotranslation! broadcast_messages_allowed! monoforum! forum_tabs! access_hash "
        "username restriction_reason* admin_rights banned_rights default_banned_rights participants_count "
        "usernames* stories_max_id color profile_color emoji_status level subscription_until_date "
        "bot_verification_icon send_paid_messages_stars linked_monoforum_id"
    ),
    "ChatPhotoEmpty": "",
    "ChatPhoto": "photo_id dc_id has_video! stripped_thumb",
    "ChatAdminRights": (
        "change_info! post_messages! edit_messages! delete_messages! ban_users! invite_users! pin_messages! "
        "add_admins! anonymous! manage_call! other! manage_topics! post_stories! edit_stories! delete_stories! "
        "manage_direct_messages!"
    ),
    "ChatBannedRights": (
        "until_date view_messages! send_messages! send_media! send_stickers! send_gifs! send_games! send_inline! "
        "embed_links! send_polls! change_info! invite_users! pin_messages! manage_topics! send_photos! "
        "send_videos! send_roundvideos! send_audios! send_voices! send_docs! send_plain!"
    ),
    "ResolvedPeer": "peer chats* users*",
    "ImportedContacts": "imported* popular_invites* retry_contacts* users*",
    "PopularContact": "client_id importers",
    "PrivacyRules": "rules* chats* users*",
    "PrivacyValueAllowAll": "",
    "PrivacyValueDisallowAll": "",
    "PrivacyValueAllowUsers": "users*",
    "PrivacyValueDisallowUsers": "users*",
    "PrivacyValueAllowContacts": "",
    "MessageMediaPhoto": "spoiler! photo ttl_seconds",
    "Photo": "id access_hash file_reference date sizes* dc_id has_stickers! video_sizes*",
    "PhotoEmpty": "id",
    "PhotoSize": "type w h size",
    "MessageMediaDocument": (
        "nopremium! spoiler! video! round! voice! document alt_documents* video_cover video_timestamp ttl_seconds"
    ),
    "Document": "id access_hash file_reference date mime_type size dc_id attributes* thumbs* video_thumbs*",
    "DocumentAttributeFilename": "file_name",
    "DocumentAttributeAudio": "duration voice! title performer waveform",
    "DocumentAttributeVideo": (
        "duration w h round_message! supports_streaming! nosound! preload_prefix_size video_start_ts video_codec"
    ),
    "DocumentAttributeSticker": "alt stickerset mask! mask_coords",
    "DocumentAttributeImageSize": "w h",
    "DocumentAttributeAnimated": "",
    "InputStickerSetEmpty": "",
    "MessageMediaPoll": "poll results",
    "Poll": "id question answers* closed! public_voters! multiple_choice! quiz! close_period close_date",
    "PollAnswer": "text option",
    "PollResults": "min! results* total_voters recent_voters* solution solution_entities*",
    "PollAnswerVoters": "option voters chosen! correct!",
    "TextWithEntities": "text entities*",
    "UsersUserFull": "full_user chats* users*",
    "UserFull": (
        "id settings notify_settings common_chats_count blocked! phone_calls_available! phone_calls_private! "
        "can_pin_message! has_scheduled! video_calls_available! voice_messages_forbidden! translations_disabled! "
        "stories_pinned_available! blocked_my_stories_from! wallpaper_overridden! contact_require_premium! "
        "read_dates_private! sponsored_enabled! can_view_revenue! bot_can_manage_emoji_status! "
        "display_gifts_button! about personal_photo profile_photo fallback_photo bot_info pinned_msg_id folder_id "
        "ttl_period theme private_forward_name bot_group_admin_rights bot_broadcast_admin_rights wallpaper "
        "stories business_work_hours business_location business_greeting_message business_away_message "
        "business_intro birthday personal_channel_id personal_channel_message stargifts_count starref_program "
        "bot_verification send_paid_messages_stars disallowed_gifts stars_rating stars_my_pending_rating "
        "stars_my_pending_rating_date main_tab saved_music note"
    ),
    "PeerSettings": (
        "report_spam! add_contact! block_contact! share_contact! need_contacts_exception! report_geo! "
        "autoarchived! invite_members! request_chat_broadcast! business_bot_paused! business_bot_can_reply! "
        "geo_distance request_chat_title request_chat_date business_bot_id business_bot_manage_url "
        "charge_paid_message_stars registration_month phone_country name_change_date photo_change_date"
    ),
    "PeerNotifySettings": (
        "show_previews silent mute_until ios_sound android_sound other_sound stories_muted stories_hide_sender "
        "stories_ios_sound stories_android_sound stories_other_sound"
    ),
    "BotInfo": (
        "has_preview_medias! user_id description description_photo description_document commands* menu_button "
        "privacy_policy_url app_settings verifier_settings"
    ),
    "BotCommand": "command description",
    "BotMenuButtonDefault": "",
    "ChannelAdminLogEvent": "id date user_id action",
    "ChannelAdminLogEventActionChangeTitle": "prev_value new_value",
    "ChannelAdminLogEventActionChangePhoto": "prev_photo new_photo",
    "ChannelAdminLogEventActionParticipantJoin": "",
    "ChannelAdminLogEventActionParticipantLeave": "",
    "ChannelAdminLogEventActionParticipantInvite": "participant",
    "ChannelAdminLogEventActionParticipantToggleAdmin": "prev_participant new_participant",
    "ChannelAdminLogEventActionParticipantToggleBan": "prev_participant new_participant",
    "ChannelAdminLogEventActionUpdatePinned": "message",
    "ChannelAdminLogEventActionDeleteMessage": "message",
    "ChannelAdminLogEventActionEditMessage": "prev_message new_message",
    "ChannelParticipant": "user_id date subscription_until_date",
    "ChannelParticipantSelf": "user_id inviter_id date via_request! subscription_until_date",
    "ChannelParticipantAdmin": "user_id promoted_by date admin_rights can_edit! is_self! inviter_id rank",
    "ChannelParticipantCreator": "user_id admin_rights rank",
    "ChannelParticipantBanned": "peer kicked_by date banned_rights left!",
    "ChannelParticipantLeft": "peer",
    "Message": (
        "id peer_id date message out! mentioned! media_unread! silent! post! from_scheduled! legacy! edit_hide! "
        "pinned! noforwards! invert_media! offline! video_processing_pending! paid_suggested_post_stars! "
        "paid_suggested_post_ton! from_id from_boosts_applied saved_peer_id fwd_from via_bot_id "
        "via_business_bot_id reply_to media reply_markup entities* views forwards replies edit_date post_author "
        "grouped_id reactions restriction_reason* ttl_period quick_reply_shortcut_id effect factcheck "
        "report_delivery_until_date paid_message_stars suggested_post"
    ),
    "MessageService": (
        "id peer_id date action out! mentioned! media_unread! reactions_are_possible! silent! post! legacy! "
        "from_id saved_peer_id reply_to reactions ttl_period"
    ),
    "MessageReplyHeader": (
        "reply_to_scheduled! forum_topic! quote! reply_to_msg_id reply_to_peer_id reply_from reply_media "
        "reply_to_top_id quote_text quote_entities* quote_offset todo_item_id"
    ),
    "MessageFwdHeader": (
        "date imported! saved_out! from_id from_name channel_post post_author saved_from_peer saved_from_msg_id "
        "saved_from_id saved_from_name saved_date psa_type"
    ),
    "ForumTopic": (
        "id date peer title icon_color top_message read_inbox_max_id read_outbox_max_id unread_count "
        "unread_mentions_count unread_reactions_count unread_poll_votes_count from_id notify_settings my! closed! "
        "pinned! short! hidden! title_missing! icon_emoji_id draft"
    ),
    "MessageMediaContact": "phone_number first_name last_name vcard user_id",
    "ChannelAdminLogEventActionChangeAbout": "prev_value new_value",
    "ChannelAdminLogEventActionToggleSlowMode": "prev_value new_value",
    "ChannelAdminLogEventActionToggleForum": "new_value!",
    "ChannelAdminLogEventActionDefaultBannedRights": "prev_banned_rights new_banned_rights",
    "ChannelAdminLogEventActionCreateTopic": "topic",
}

# Constructors that have more fields in Telethon 1.44; ``#`` marks a number that is 0 where nothing is said.
LATEST = {
    "User": (
        "id is_self! contact! mutual_contact! deleted! bot! bot_chat_history! bot_nochats! verified! restricted! "
        "min! bot_inline_geo! support! scam! apply_min_photo! fake! bot_attach_menu! premium! attach_menu_enabled! "
        "bot_can_edit! close_friend! stories_hidden! stories_unavailable! contact_require_premium! bot_business! "
        "bot_has_main_app! bot_forum_view! bot_forum_can_manage_topics! bot_can_manage_bots! bot_guestchat! "
        "bot_guard! access_hash first_name last_name username phone photo status bot_info_version "
        "restriction_reason* bot_inline_placeholder lang_code emoji_status usernames* stories_max_id color "
        "profile_color bot_active_users bot_verification_icon send_paid_messages_stars"
    ),
    "ChatAdminRights": (
        "change_info! post_messages! edit_messages! delete_messages! ban_users! invite_users! pin_messages! "
        "add_admins! anonymous! manage_call! other! manage_topics! post_stories! edit_stories! delete_stories! "
        "manage_direct_messages! manage_ranks!"
    ),
    "ChatBannedRights": (
        "until_date view_messages! send_messages! send_media! send_stickers! send_gifs! send_games! send_inline! "
        "embed_links! send_polls! change_info! invite_users! pin_messages! manage_topics! send_photos! send_videos! "
        "send_roundvideos! send_audios! send_voices! send_docs! send_plain! edit_rank! send_reactions!"
    ),
    "MessageMediaPhoto": "spoiler! live_photo! photo ttl_seconds video",
    "MessageMediaPoll": "poll results attached_media",
    "Poll": (
        "id question answers* hash# closed! public_voters! multiple_choice! quiz! open_answers! revoting_disabled! "
        "shuffle_answers! hide_results_until_close! creator! subscribers_only! close_period close_date "
        "countries_iso2*"
    ),
    "PollAnswer": "text option media added_by date",
    "PollResults": (
        "min! has_unread_votes! can_view_stats! results* total_voters recent_voters* solution solution_entities* "
        "solution_media"
    ),
    "PollAnswerVoters": "option chosen! correct! voters recent_voters*",
    "ChannelParticipant": "user_id date subscription_until_date rank",
    "ChannelParticipantBanned": "peer kicked_by date banned_rights left! rank",
    "Message": (
        "id peer_id date message out! mentioned! media_unread! silent! post! from_scheduled! legacy! edit_hide! "
        "pinned! noforwards! invert_media! offline! video_processing_pending! paid_suggested_post_stars! "
        "paid_suggested_post_ton! from_id from_boosts_applied from_rank saved_peer_id fwd_from via_bot_id "
        "via_business_bot_id guestchat_via_from reply_to media reply_markup entities* views forwards replies "
        "edit_date post_author grouped_id reactions restriction_reason* ttl_period quick_reply_shortcut_id effect "
        "factcheck report_delivery_until_date paid_message_stars suggested_post schedule_repeat_period "
        "summary_from_language rich_message"
    ),
    "MessageReplyHeader": (
        "reply_to_scheduled! forum_topic! quote! reply_to_ephemeral! reply_to_msg_id reply_to_peer_id reply_from "
        "reply_media reply_to_top_id quote_text quote_entities* quote_offset todo_item_id poll_option"
    ),
}


def make(name: str, **values: Any) -> Made:
    """Return an object with all its fields, as it comes off the wire."""
    made: Made = {"_": "UserFull" if name == "UsersUserFull" else name}
    for field in FIELDS[name].split():
        bare = field.rstrip("!*")
        made[bare] = values.pop(bare, None)
        if made[bare] is None and bare != field:
            made[bare] = False if field.endswith("!") else []
    assert not values, f"{name} has no {', '.join(values)}"
    return made


def _completed(made: Mapping[str, Any], layer: Layer) -> Mapping[str, Any]:
    """Return an object with the fields that it has in a layer."""
    fields = layer.get(made["_"])
    if fields is None:
        return made
    usual: dict[str, Any] = {"!": False, "#": 0}
    named = {each.rstrip("!*#"): each[-1] for each in fields.split()}
    full = {name: made.get(name, [] if mark == "*" else usual.get(mark)) for name, mark in named.items()}
    return {"_": made["_"], **full}


def to_str(value: Any, layer: Layer = NO_LAYER) -> str:
    """Return what ``str()`` of an object says, in Telethon 1.42 or with the fields of a later layer."""
    if isinstance(value, Mapping):
        fields = _completed(value, layer).items()
        inner = ", ".join(f"{key}={to_str(each, layer)}" for key, each in fields if key != "_")
        return f"{value['_']}({inner})"
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return f"[{', '.join(to_str(each, layer) for each in value)}]"
    return repr(value)


def to_json_value(value: Any, layer: Layer = NO_LAYER) -> Any:
    """Return an object as the server puts it into JSON: times in ISO form, bytes read as text."""
    if isinstance(value, Mapping):
        return {key: to_json_value(each, layer) for key, each in _completed(value, layer).items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [to_json_value(each, layer) for each in value]
    if isinstance(value, datetime):
        return value.isoformat()
    return value.decode("utf-8", errors="replace") if isinstance(value, bytes) else value


def time(seconds: int) -> datetime:
    """Return a time as Telethon has it."""
    return datetime.fromtimestamp(seconds, UTC)
