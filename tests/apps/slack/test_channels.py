"""Listing channels."""

from __future__ import annotations

import base64
import math

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp


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
