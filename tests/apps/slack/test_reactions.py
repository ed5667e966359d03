"""Putting emoji on messages."""

from __future__ import annotations

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp

GENERAL, SECRET, OLD = "C0123ABCD", "C0123ABCF", "C0123ABCG"
HELLO = "1700000001.000100"


def react(slack: LocalApp, reaction: str = "thumbsup", channel_id: str = GENERAL, timestamp: str = HELLO) -> object:
    return slack.call("slack_add_reaction", channel_id=channel_id, timestamp=timestamp, reaction=reaction)


@pytest.mark.fact("react")
def test_a_reaction_shows_on_the_message(slack: LocalApp) -> None:
    answer = react(slack)
    hello = slack.call("slack_get_channel_history", channel_id=GENERAL)["messages"][2]

    # The answer of a JSON post without charset, in full.
    assert answer == {"ok": True, "warning": "missing_charset", "response_metadata": {"warnings": ["missing_charset"]}}
    assert hello["reactions"] == [{"name": "+1", "users": ["U0123ABCD"], "count": 1}]


@pytest.mark.fact("react")
def test_reactions_stand_in_the_order_in_which_they_came(slack: LocalApp) -> None:
    for name in ("wave", "eyes", "tada"):
        react(slack, name)

    hello = slack.call("slack_get_channel_history", channel_id=GENERAL)["messages"][2]

    assert [each["name"] for each in hello["reactions"]] == ["wave", "eyes", "tada"]


@pytest.mark.fact("react-alias")
@pytest.mark.parametrize(
    ("first", "again", "kept"),
    [
        ("thumbsup", "+1", "+1"),
        ("+1", "thumbsup", "+1"),
        ("+1::skin-tone-3", "thumbsup::skin-tone-3", "+1::skin-tone-3"),
        ("running", "runner", "runner"),
    ],
)
def test_two_names_of_one_emoji_are_one_reaction(slack: LocalApp, first: str, again: str, kept: str) -> None:
    react(slack, first)

    with pytest.raises(VendorError) as refused:
        react(slack, again)

    assert refused.value.code == "already_reacted"
    assert [change["new"]["name"] for change in slack.changes()["reactions"]] == [kept]


@pytest.mark.fact("react-names")
@pytest.mark.parametrize("reaction", ["flag-ac", "female-artist", "face_palm", "white_check_mark"])
def test_emoji_have_the_names_of_the_table_slack_points_to(slack: LocalApp, reaction: str) -> None:
    react(slack, reaction)

    assert len(slack.changes()["reactions"]) == 1


@pytest.mark.fact("react-names")
# Names of other tables; the last is what Slack calls an emoji in British English.
@pytest.mark.parametrize("reaction", ["thumbs_up", "a_button_blood_type", "grinning_face", "white_tick"])
def test_a_name_from_elsewhere_is_refused(slack: LocalApp, reaction: str) -> None:
    with pytest.raises(VendorError) as refused:
        react(slack, reaction)

    assert refused.value.code == "invalid_name"


@pytest.mark.fact("react")
def test_a_skin_tone_belongs_to_the_name(slack: LocalApp) -> None:
    react(slack, "thumbsup::skin-tone-2")
    react(slack, "thumbsup")

    assert len(slack.changes()["reactions"]) == 2


@pytest.mark.fact("react-refusals")
@pytest.mark.parametrize(
    ("reaction", "channel_id", "timestamp", "code"),
    [
        ("thumbsup", GENERAL, "", "no_item_specified"),
        ("thumbsup", GENERAL, "1700000001", "bad_timestamp"),
        ("thumbsup", SECRET, HELLO, "channel_not_found"),
        ("thumbsup", OLD, HELLO, "is_archived"),
        (":thumbsup:", GENERAL, HELLO, "invalid_name"),
        ("no such emoji", GENERAL, HELLO, "invalid_name"),
        ("thumbsup", GENERAL, "1700009999.000100", "message_not_found"),
    ],
)
def test_a_reaction_that_cannot_be_is_refused(
    slack: LocalApp, reaction: str, channel_id: str, timestamp: str, code: str
) -> None:
    with pytest.raises(VendorError) as refused:
        react(slack, reaction, channel_id, timestamp)

    assert refused.value.code == code
    assert slack.changes() == {}


@pytest.mark.fact("react-refusals")
def test_the_same_emoji_twice_is_refused(slack: LocalApp) -> None:
    react(slack)

    with pytest.raises(VendorError) as refused:
        react(slack)

    assert refused.value.code == "already_reacted"


@pytest.mark.fact("react-limits")
def test_a_person_may_put_23_emoji_on_a_message(slack: LocalApp) -> None:
    for number in range(23):
        slack.episode.db.insert("emoji", name=f"e{number}")
        react(slack, f"e{number}")

    with pytest.raises(VendorError) as refused:
        react(slack)

    assert refused.value.code == "too_many_reactions"


@pytest.mark.fact("react-limits")
def test_a_message_takes_50_different_emoji(slack: LocalApp) -> None:
    for number in range(50):
        slack.episode.db.insert("reactions", channel_id=GENERAL, ts=HELLO, name=f"e{number}", user_id="U0123ABCE")

    with pytest.raises(VendorError) as refused:
        react(slack)

    assert refused.value.code == "too_many_emoji"


@pytest.mark.fact("react-order")
def test_emoji_stand_in_the_order_in_which_they_first_came_with_people_as_they_came(slack: LocalApp) -> None:
    came = [(9, "wave", "U0123BOT1"), (10, "eyes", "U0123ABCE"), (10, "eyes", "U0123ABCD"), (200, "wave", "U0123ABCD")]
    for at, name, user_id in reversed(came):
        slack.episode.db.insert("reactions", channel_id=GENERAL, ts=HELLO, name=name, user_id=user_id, reacted_ms=at)

    hello = slack.call("slack_get_channel_history", channel_id=GENERAL)["messages"][2]

    assert hello["reactions"] == [
        {"name": "wave", "users": ["U0123BOT1", "U0123ABCD"], "count": 2},
        {"name": "eyes", "users": ["U0123ABCD", "U0123ABCE"], "count": 2},
    ]
