"""Listing channels."""

from __future__ import annotations

import base64
import math

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.slack.conftest import BO, GENERAL, LOUD, ME, TEAM


def names(body: dict[str, list[dict[str, str]]]) -> list[str]:
    return [channel["name"] for channel in body["channels"]]


@pytest.mark.fact("list-visible")
def test_archived_channels_and_private_ones_without_me_are_left_out(slack: LocalApp) -> None:
    body = slack.call("slack_list_channels")

    assert names(body) == ["general", "loud"]
    assert [channel["is_member"] for channel in body["channels"]] == [True, False]


@pytest.mark.fact("list-order")
def test_shorter_ids_come_before_longer_ones(slack: LocalApp) -> None:
    slack.episode.db.insert("channels", id="C0000000000", team_id="T0123ABCD", name="newest")

    assert names(slack.call("slack_list_channels")) == ["general", "loud", "newest"]


@pytest.mark.fact("list-cursor")
def test_the_cursor_names_the_first_channel_of_the_next_page(slack: LocalApp) -> None:
    first = slack.call("slack_list_channels", limit=1)
    cursor = first["response_metadata"]["next_cursor"]
    second = slack.call("slack_list_channels", limit=1, cursor=cursor)

    assert base64.b64decode(cursor) == b"team:C0123ABCE"
    assert names(first) + names(second) == ["general", "loud"]
    assert second["response_metadata"]["next_cursor"] == ""


@pytest.mark.fact("list-cursor")
@pytest.mark.parametrize("cursor", ["nonsense", "dXNlcjpVMQ==", "dGVhbTo="])
def test_a_cursor_of_another_list_is_refused(slack: LocalApp, cursor: str) -> None:
    with pytest.raises(VendorError) as refused:
        slack.call("slack_list_channels", cursor=cursor)

    assert refused.value.code == "invalid_cursor"


@pytest.mark.fact("limit")
@pytest.mark.parametrize("limit", [-1, 0, 1.5, -math.inf])
def test_a_limit_that_is_no_count_is_refused(slack: LocalApp, limit: float) -> None:
    with pytest.raises(VendorError) as refused:
        slack.call("slack_list_channels", limit=limit)

    assert refused.value.code == "invalid_limit"


@pytest.mark.fact("list-visible")
def test_a_channel_is_shown_whole(slack: LocalApp) -> None:
    slack.episode.db.update(
        "channels",
        {"id": LOUD},
        topic="Noise",
        topic_creator=BO,
        topic_last_set=1700000100,
        purpose="All that is loud",
        purpose_creator=ME,
        purpose_last_set=1700000200,
        updated=1700000300000,
        previous_names='["noisy"]',
    )
    slack.episode.db.insert("channels", id="C0123ABCZ", team_id=TEAM, name="club", kind="group", is_private=1)
    slack.episode.db.insert("members", channel_id="C0123ABCZ", user_id=ME)

    general, loud, club = slack.call("slack_list_channels")["channels"]

    usual = {
        "is_channel": True,
        "is_group": False,
        "is_im": False,
        "is_mpim": False,
        "is_private": False,
        "created": 1700000000,
        "is_archived": False,
        "is_general": False,
        "unlinked": 0,
        "is_shared": False,
        "is_org_shared": False,
        "is_pending_ext_shared": False,
        "pending_shared": [],
        "context_team_id": TEAM,
        "parent_conversation": None,
        "creator": BO,
        "is_ext_shared": False,
        "shared_team_ids": [TEAM],
        "pending_connected_team_ids": [],
    }
    assert loud == usual | {
        "id": LOUD,
        "name": "loud",
        "name_normalized": "loud",
        "updated": 1700000300000,
        "is_member": False,
        "topic": {"value": "Noise", "creator": BO, "last_set": 1700000100},
        "purpose": {"value": "All that is loud", "creator": ME, "last_set": 1700000200},
        "previous_names": ["noisy"],
        "num_members": 0,
    }
    empty = {"value": "", "creator": "", "last_set": 0}
    assert general == loud | {
        "id": GENERAL,
        "name": "general",
        "name_normalized": "general",
        "is_general": True,
        "updated": general["updated"],
        "is_member": True,
        "topic": empty,
        "purpose": empty,
        "previous_names": [],
        "num_members": 2,
    }
    assert (club["is_channel"], club["is_group"], club["is_private"], club["is_member"]) == (False, True, True, True)


@pytest.mark.fact("limit")
def test_a_page_has_a_hundred_channels_unless_more_are_asked_for_and_200_at_most(slack: LocalApp) -> None:
    for number in range(230):
        slack.episode.db.insert("channels", id=f"C1{number:07}", team_id=TEAM, name=f"c{number}")

    def listed(**more: float) -> int:
        return len(slack.call("slack_list_channels", **more)["channels"])

    assert [listed(), listed(limit=1), listed(limit=200), listed(limit=201), listed(limit=1e9)] == [
        *(100, 1, 200, 200, 200)
    ]
    assert listed(limit=math.inf) == 200
