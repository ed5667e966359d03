"""The member list and profiles."""

from __future__ import annotations

import base64

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp


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
