"""The member list and profiles."""

from __future__ import annotations

import base64

import pytest

from farm.kernel import VendorError
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
