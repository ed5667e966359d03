"""Profiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.rednote.conftest import ADA, BO, CLIP, EVE, FRIENDS, LAMP, ME, MINE, PRIVATE

Token = Callable[[str], str]


def ids(body: dict[str, Any]) -> list[str] | None:
    return None if body["feeds"] is None else [feed["id"] for feed in body["feeds"]]


def told_token(app: LocalApp, user_id: str, tab: str = "mentions") -> str:
    items = app.call("list_notifications", tab=tab)["items"]
    return str(next(item["from"]["xsec_token"] for item in items if item["from"]["user_id"] == user_id))


@pytest.mark.fact("profile")
def test_my_profile_has_my_figures_and_all_my_notes(rednote: LocalApp) -> None:
    body = rednote.call("get_my_profile")

    assert list(body) == ["userBasicInfo", "interactions", "feeds"]
    assert list(body["userBasicInfo"]) == ["gender", "ipLocation", "desc", "imageb", "nickname", "images", "redId"]
    assert [(each["type"], each["name"], each["count"]) for each in body["interactions"]] == [
        ("follows", "关注", "10"),
        ("fans", "粉丝", "19999"),
        ("interaction", "获赞与收藏", "1"),
    ]
    assert ids(body) == [PRIVATE, MINE]


@pytest.mark.fact("profile")
@pytest.mark.parametrize(
    ("tab", "found"),
    [
        ("", [PRIVATE, MINE]),
        (" Notes ", [PRIVATE, MINE]),
        ("笔记", [PRIVATE, MINE]),
        ("收藏", [LAMP]),
        ("FAVORITES", [LAMP]),
        ("like", [CLIP]),
        ("点赞", [CLIP]),
    ],
)
def test_tabs_have_aliases(rednote: LocalApp, tab: str, found: list[str]) -> None:
    assert ids(rednote.call("get_my_profile", tab=tab)) == found


@pytest.mark.fact("profile")
@pytest.mark.parametrize(
    ("tool", "more", "verb"),
    [
        ("get_my_profile", {}, "获取我的主页"),
        ("user_profile", {"user_id": BO, "xsec_token": "ABx="}, "获取用户主页"),
    ],
)
def test_an_unknown_tab_is_refused_in_go_quotes(rednote: LocalApp, tool: str, more: dict[str, str], verb: str) -> None:
    with pytest.raises(VendorError) as refused:
        rednote.call(tool, tab='vi"deo\n', **more)

    assert refused.value.message == f'{verb}失败: 未知的主页 tab "vi\\"deo\\n"，可选：note / fav / liked'


@pytest.mark.fact("profile-figures")
@pytest.mark.fact("profile")
def test_a_user_opens_with_the_token_of_one_of_their_notes(rednote: LocalApp, token: Token) -> None:
    body = rednote.call("user_profile", user_id=BO, xsec_token=token(LAMP))

    assert (body["userBasicInfo"]["nickname"], ids(body)) == ("波波", [LAMP])
    # In full: a profile's figures are not shortened, a note's counters are.
    assert body["interactions"][2]["count"] == "12346"


@pytest.mark.fact("tokens")
def test_a_commenter_opens_with_the_token_of_the_note_they_were_seen_under(rednote: LocalApp, token: Token) -> None:
    assert ids(rednote.call("user_profile", user_id=EVE, xsec_token=token(MINE))) == [CLIP]


@pytest.mark.fact("tokens")
def test_a_notification_gives_out_a_token_for_its_user(rednote: LocalApp) -> None:
    opened = told_token(rednote, ADA, "connections")

    assert ids(rednote.call("user_profile", user_id=ADA, xsec_token=opened)) == [FRIENDS]


@pytest.mark.fact("profile")
@pytest.mark.parametrize(
    ("user_id", "xsec_token", "message"),
    [
        ("", "ABx=", "缺少user_id参数"),
        (BO, "", "缺少xsec_token参数"),
        (BO, "ABx=", "user.userPageData.value not found in __INITIAL_STATE__"),
        ("5f0cff", "ABx=", "user.userPageData.value not found in __INITIAL_STATE__"),
    ],
)
def test_a_user_does_not_open_without_id_and_token(
    rednote: LocalApp, user_id: str, xsec_token: str, message: str
) -> None:
    with pytest.raises(VendorError) as refused:
        rednote.call("user_profile", user_id=user_id, xsec_token=xsec_token)

    assert refused.value.message == f"获取用户主页失败: {message}"


@pytest.mark.fact("tokens")
def test_the_token_of_a_note_where_the_user_is_not_seen_is_refused(rednote: LocalApp, token: Token) -> None:
    with pytest.raises(VendorError) as refused:
        rednote.call("user_profile", user_id=ADA, xsec_token=token(LAMP))

    assert refused.value.code == "profile_missing"


@pytest.mark.fact("profile-tabs")
def test_favourites_are_seen_only_when_public(rednote: LocalApp, token: Token) -> None:
    bo = {"user_id": BO, "xsec_token": token(LAMP)}

    assert ids(rednote.call("user_profile", **bo, tab="fav")) == [CLIP]
    assert ids(rednote.call("user_profile", **bo, tab="liked")) is None


@pytest.mark.fact("visibility")
def test_a_friends_note_is_on_the_profile_for_friends_only(rednote: LocalApp) -> None:
    ada = {"user_id": ADA, "xsec_token": told_token(rednote, ADA, "connections")}
    assert ids(rednote.call("user_profile", **ada)) == [FRIENDS]

    rednote.episode.db.delete("follows", user_id=ADA, target_id=ME)

    assert ids(rednote.call("user_profile", **ada)) is None
