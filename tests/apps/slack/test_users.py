"""The member list and profiles."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.slack.conftest import BO, GONE, HELPER, ME, TEAM


@pytest.mark.fact("users-order")
def test_slackbot_leads_and_pages_follow_each_other(slack: LocalApp) -> None:
    ids, cursor = [], ""
    while True:
        body = slack.call("slack_get_users", limit=2, cursor=cursor)
        ids += [member["id"] for member in body["members"]]
        cursor = body["response_metadata"]["next_cursor"]
        if not cursor:
            break
        assert base64.b64decode(cursor).startswith(b"user:U")

    assert ids == ["USLACKBOT", "U0123ABCD", "U0123ABCE", "U0123ABCF", "U0123BOT1"]


@pytest.mark.fact("users-shapes")
def test_members_look_different_by_kind(slack: LocalApp) -> None:
    members = {member["name"]: member for member in slack.call("slack_get_users")["members"]}

    assert members["slackbot"]["is_bot"] is False
    assert members["slackbot"]["profile"]["always_active"] is True
    assert "email" not in members["helper"]["profile"]
    assert members["helper"]["profile"]["bot_id"] == "B0123ABCD"
    assert "real_name" not in members["gone"]
    assert members["gone"]["deleted"] is True
    assert members["me"]["profile"]["email"] == "me@acme.example"
    assert members["me"]["profile"]["fields"] is None


@pytest.mark.fact("users-order")
def test_a_cursor_of_the_channel_list_is_refused(slack: LocalApp) -> None:
    with pytest.raises(VendorError) as refused:
        slack.call("slack_get_users", cursor="dGVhbTpDMQ==")

    assert refused.value.code == "invalid_cursor"


@pytest.mark.fact("profile")
def test_a_profile_has_the_title_but_no_id(slack: LocalApp) -> None:
    profile = slack.call("slack_get_user_profile", user_id="U0123ABCD")["profile"]

    assert profile["title"] == "Planner"
    assert "id" not in profile


@pytest.mark.fact("profile")
def test_the_profile_of_nobody_is_refused(slack: LocalApp) -> None:
    with pytest.raises(VendorError) as refused:
        slack.call("slack_get_user_profile", user_id="U0NOTHERE1")

    assert refused.value.code == "user_not_found"


@pytest.mark.fact("users-shapes")
def test_bots_and_slackbot_are_in_no_huddle_and_have_confirmed_no_mail(slack: LocalApp) -> None:
    members = {member["name"]: member for member in slack.call("slack_get_users")["members"]}

    for name in ("slackbot", "helper"):
        assert members[name]["is_email_confirmed"] is False
        assert "huddle_state" not in members[name]["profile"]


@pytest.mark.fact("profile-picture")
def test_only_ones_own_picture_has_an_original(slack: LocalApp) -> None:
    slack.episode.db.update("users", {"id": "U0123ABCD"}, avatar_hash="cd41")
    slack.episode.db.update("users", {"id": "U0123ABCE"}, avatar_hash="g1d41")

    mine = slack.call("slack_get_user_profile", user_id="U0123ABCD")["profile"]
    bos = slack.call("slack_get_user_profile", user_id="U0123ABCE")["profile"]

    own = ["image_original", "is_custom_image", "image_1024"]
    assert [key for key in mine if key not in bos] == own
    assert mine["is_custom_image"] is True
    keys = list(mine)
    assert keys[keys.index("avatar_hash") + 1] == "image_original"
    assert keys[keys.index("image_512") + 1] == "image_1024"


@pytest.mark.fact("profile-huddle")
def test_a_profile_says_that_nobody_is_in_a_huddle_and_until_when(slack: LocalApp) -> None:
    profile = slack.call("slack_get_user_profile", user_id="U0123ABCD")["profile"]

    keys = list(profile)
    assert keys[keys.index("huddle_state") :][:3] == ["huddle_state", "huddle_state_expiration_ts", "first_name"]
    assert (profile["huddle_state"], profile["huddle_state_expiration_ts"]) == ("default_unset", 0)


@pytest.mark.fact("profile-status")
@pytest.mark.parametrize(
    ("status", "told"), [(":palm_tree:", [("palm_tree", "1f334")]), ("", []), (":no_such_thing:", [])]
)
def test_the_emoji_of_a_status_is_told_beside_it(slack: LocalApp, status: str, told: list[tuple[str, str]]) -> None:
    slack.episode.db.update("users", {"id": "U0123ABCD"}, status_emoji=status)

    info = slack.call("slack_get_user_profile", user_id="U0123ABCD")["profile"]["status_emoji_display_info"]

    assert [(each["emoji_name"], each["unicode"]) for each in info] == told
    assert all(list(each) == ["emoji_name", "display_url", "unicode"] for each in info)


def pictures(of: str, *more: int) -> dict[str, str]:
    sizes = (24, 32, 48, 72, 192, 512, *more)
    return {f"image_{size}": f"https://avatars.example/{of}_{size}.png" for size in sizes}


def profile_of(name: str, picture: str) -> dict[str, Any]:
    return {
        "title": "",
        "phone": "",
        "skype": "",
        "real_name": name.title(),
        "real_name_normalized": name.title(),
        "display_name": "",
        "display_name_normalized": "",
        "fields": {},
        "status_text": "",
        "status_emoji": "",
        "status_emoji_display_info": [],
        "status_expiration": 0,
        "avatar_hash": "",
        "first_name": "",
        "last_name": "",
        **pictures(picture),
        "status_text_canonical": "",
    }


@pytest.mark.fact("users-shapes")
def test_members_of_every_kind_are_shown_whole(slack: LocalApp) -> None:
    slack.episode.db.update("users", {"id": ME}, is_admin=1, is_owner=1, is_primary_owner=1, tz_offset=28800)
    slack.episode.db.update("users", {"id": BO}, is_restricted=1, updated=1700000009)
    body = slack.call("slack_get_users")
    slackbot, me, bo, gone, helper = body["members"]
    awake = {"huddle_state": "default_unset", "huddle_state_expiration_ts": 0}

    shown = {key: me[key] for key in ("color", "tz", "tz_label", "updated")}
    usual = {
        **shown,
        "team_id": TEAM,
        "deleted": False,
        "is_admin": False,
        "is_owner": False,
        "is_primary_owner": False,
        "is_restricted": False,
        "is_ultra_restricted": False,
        "is_bot": False,
        "is_app_user": False,
        "is_email_confirmed": True,
        "who_can_share_contact_card": "EVERYONE",
    }
    beside = {"team": TEAM, "fields": None}
    assert me == usual | {
        "id": ME,
        "name": "me",
        "real_name": "Me",
        "tz_offset": 28800,
        "is_admin": True,
        "is_owner": True,
        "is_primary_owner": True,
        "profile": profile_of("me", ME) | awake | beside | {"email": "me@acme.example", "title": "Planner"},
    }
    assert bo == usual | {
        "id": BO,
        "name": "bo",
        "real_name": "Bo",
        "tz_offset": bo["tz_offset"],
        "is_restricted": True,
        "updated": 1700000009,
        "profile": profile_of("bo", BO) | awake | beside | {"email": "bo@acme.example"},
    }
    assert slackbot == usual | {
        "id": "USLACKBOT",
        "name": "slackbot",
        "real_name": "Slackbot",
        "tz_offset": slackbot["tz_offset"],
        "is_email_confirmed": False,
        "profile": profile_of("slackbot", "USLACKBOT") | {"team": TEAM, "always_active": True},
    }
    assert gone == {
        "id": GONE,
        "team_id": TEAM,
        "name": "gone",
        "deleted": True,
        "profile": profile_of("gone", GONE) | awake | beside,
        "is_bot": False,
        "is_app_user": False,
        "updated": gone["updated"],
    }
    program = profile_of("helper", HELPER) | {"api_app_id": "A0123ABCD", "always_active": True, "bot_id": "B0123ABCD"}
    del program["first_name"], program["last_name"]
    assert helper["profile"] == program | {"team": TEAM}
    assert (helper["is_bot"], helper["is_app_user"], helper["is_email_confirmed"]) == (True, False, False)
    assert body["cache_ts"] == slack.episode.now_ms // 1000


@pytest.mark.fact("profile")
@pytest.mark.fact("profile-picture")
def test_a_profile_is_shown_whole(slack: LocalApp) -> None:
    slack.episode.db.update(
        "users",
        {"id": ME},
        phone="1",
        display_name="wan",
        first_name="Wan",
        last_name="Lin",
        avatar_hash="cd41",
        status_text="out",
        status_emoji=":wave::skin-tone-3:",
        status_expiration=1700009999,
        fields='{"Xf1": {"value": "Berlin", "alt": "", "label": "City"}}',
    )

    wave = {
        "emoji_name": "wave::skin-tone-3",
        "display_url": "https://emoji.example/1f44b-1f3fc.png",
        "unicode": "1f44b-1f3fc",
    }
    assert slack.call("slack_get_user_profile", user_id=ME) == {
        "ok": True,
        "profile": profile_of("me", "cd41")
        | {
            "title": "Planner",
            "phone": "1",
            "display_name": "wan",
            "display_name_normalized": "wan",
            "fields": {"Xf1": {"value": "Berlin", "alt": "", "label": "City"}},
            "status_text": "out",
            "status_emoji": ":wave::skin-tone-3:",
            "status_emoji_display_info": [wave],
            "status_expiration": 1700009999,
            "avatar_hash": "cd41",
            "image_original": "https://avatars.example/cd41_original.png",
            "is_custom_image": True,
            "email": "me@acme.example",
            "huddle_state": "default_unset",
            "huddle_state_expiration_ts": 0,
            "first_name": "Wan",
            "last_name": "Lin",
            **pictures("cd41", 1024),
        },
    }
