"""What the worlds that come with the farm hold: who acts as whom, and who can be answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp


def _conversations(app: LocalApp) -> list[dict[str, Any]]:
    listed = app.call("INSTAGRAM_LIST_ALL_CONVERSATIONS")["data"]["data"]
    return [app.call("INSTAGRAM_GET_CONVERSATION", conversation_id=each["id"])["data"] for each in listed]


@pytest.mark.fact("profile")
def test_three_people_of_harbor_act_as_one_account(start: Callable[..., LocalApp]) -> None:
    told = [
        start("instagram", world="harbor", me=person).call("INSTAGRAM_GET_USER_INFO")["data"]
        for person in ("lin.wan", "aisha.rahman", "hannah.keller")
    ]

    assert [each["username"] for each in told] == ["harborlight.lamps"] * 3
    with pytest.raises(VendorError) as refused:
        start("instagram", world="harbor", me="chris.tan").call("INSTAGRAM_GET_USER_INFO")
    assert refused.value.code == 190


@pytest.mark.fact("window")
@pytest.mark.parametrize(
    ("world", "open_to"),
    [
        ("harbor", ["mei.makes.things", "mei.in.sg", "yuan.eastcoast", "leselicht.magazin"]),
        ("mini", ["theo_mill"]),
    ],
)
def test_who_wrote_within_a_day_can_be_answered(start: Callable[..., LocalApp], world: str, open_to: list[str]) -> None:
    app = start("instagram", world=world)
    answered = []

    for each in _conversations(app):
        other = each["participants"]["data"][1]
        if not app.outcome("INSTAGRAM_MARK_SEEN", {"recipient_id": other["id"]}).refused:
            answered.append(other["username"])

    assert answered == open_to


@pytest.mark.fact("sums")
def test_the_figures_of_every_post_fit_together(start: Callable[..., LocalApp]) -> None:
    app = start("instagram", world="harbor")
    names = ["reach", "views", "likes", "comments", "saved", "shares", "total_interactions"]

    for post in app.call("INSTAGRAM_GET_USER_MEDIA")["data"]["data"]:
        told = app.call("INSTAGRAM_GET_POST_INSIGHTS", ig_post_id=post["id"], metric=names)["data"]["data"]
        values = {each["name"]: each["values"][0]["value"] for each in told}
        assert values["views"] >= values["reach"] >= values["likes"] == post["like_count"]
        assert values["comments"] == post["comments_count"]
        assert values["total_interactions"] == sum(values[name] for name in ("likes", "comments", "saved", "shares"))
