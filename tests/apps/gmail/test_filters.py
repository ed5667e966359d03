"""Filters."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.gmail.mailbox import FILTER, WORK

Say = Callable[..., str]
ID = re.compile(r"ID: (ANe1Bm[0-9a-f]{42})\n")


def newest_filter(gmail: LocalApp) -> tuple[Any, Any]:
    """Return criteria and action of the newest filter."""
    row = gmail.episode.db.one("SELECT * FROM filters ORDER BY created_ms DESC LIMIT 1")
    assert row is not None
    return json.loads(row["criteria"]), json.loads(row["action"])


@pytest.mark.fact("filters")
def test_a_filter_is_told_as_given_and_kept_without_what_says_nothing(say: Say, gmail: LocalApp) -> None:
    said = say(
        "create_filter",
        criteria={"size": 5e6, "sizeComparison": "larger", "hasAttachment": False, "from": "a@b.example"},
        action={"removeLabelIds": ["INBOX", "UNREAD"], "addLabelIds": [], "forward": "archive@tidepool.example"},
    )

    found = ID.search(said)
    assert found is not None
    assert said == (
        f"Filter created successfully:\nID: {found[1]}\n"
        "Criteria: from: a@b.example, hasAttachment: false, size: 5000000, sizeComparison: larger\n"
        "Actions: removeLabelIds: INBOX, UNREAD, forward: archive@tidepool.example"
    )
    assert say("get_filter", filterId=found[1]) == (
        f"Filter details:\nID: {found[1]}\nCriteria: from: a@b.example, size: 5000000, sizeComparison: larger\n"
        "Actions: removeLabelIds: INBOX, UNREAD, forward: archive@tidepool.example"
    )


@pytest.mark.fact("filters")
def test_a_deleted_filter_is_gone(say: Say, gmail: LocalApp) -> None:
    assert say("get_filter", filterId=FILTER) == (
        f"Filter details:\nID: {FILTER}\nCriteria: from: news@tide.example\nActions: addLabelIds: CATEGORY_PROMOTIONS"
    )
    assert say("delete_filter", filterId=FILTER) == f'Filter "{FILTER}" deleted successfully.'
    for tool in ("get_filter", "delete_filter"):
        assert say(tool, filterId=FILTER) == f'Error: Filter with ID "{FILTER}" not found.'
    assert [change["op"] for change in gmail.changes()["filters"]] == ["delete"]


@pytest.mark.fact("filters")
def test_half_a_character_in_a_filter_is_kept_as_the_sign_that_stands_for_one(say: Say, gmail: LocalApp) -> None:
    say("create_filter", criteria={"subject": "report \ud83d"}, action={"addLabelIds": ["STARRED"]})

    assert newest_filter(gmail) == ({"subject": "report \ufffd"}, {"addLabelIds": ["STARRED"]})


@pytest.mark.fact("filter-list")
def test_the_list_of_filters_is_always_empty(say: Say) -> None:
    assert say("list_filters") == "No filters found."


@pytest.mark.fact("filter-refused")
@pytest.mark.parametrize(
    ("criteria", "action", "said"),
    [
        ({}, {"addLabelIds": [WORK]}, "Filter doesn't have any criteria"),
        ({"sizeComparison": "larger"}, {"addLabelIds": [WORK]}, "Filter doesn't have any criteria"),
        ({"from": "x"}, {"addLabelIds": []}, "Filter doesn't have any actions"),
        ({"from": "x"}, {"addLabelIds": ["Label_9"]}, "Invalid label: Label_9"),
        ({"from": "x"}, {"addLabelIds": ["SENT"]}, "Invalid label: SENT"),
        ({"from": "x"}, {"forward": "who@knows.example"}, "Unrecognized forwarding address"),
        ({"from": "news@tide.example"}, {"addLabelIds": ["CATEGORY_PROMOTIONS"]}, "Filter already exists"),
        ({"query": "x" * 1600}, {"addLabelIds": [WORK]}, "The specified filter is too long"),
        ({"size": 1.5, "sizeComparison": "larger"}, {"addLabelIds": [WORK]},
         "Invalid value at 'criteria.size' (TYPE_INT32), 1.5"),
    ],
)  # fmt: skip
def test_filters_that_cannot_be_are_refused(
    say: Say, gmail: LocalApp, criteria: dict[str, Any], action: dict[str, Any], said: str
) -> None:
    told = say("create_filter", criteria=criteria, action=action)

    assert told == f"Error: Invalid filter criteria or action: {said}"
    assert gmail.changes() == {}


@pytest.mark.fact("templates")
@pytest.mark.parametrize(
    ("template", "given", "criteria", "action"),
    [
        ("fromSender", {"senderEmail": "a@b.c", "labelIds": [WORK], "archive": True}, {"from": "a@b.c"},
         {"addLabelIds": [WORK], "removeLabelIds": ["INBOX"]}),
        ("withSubject", {"subjectText": "s", "markAsRead": True}, {"subject": "s"}, {"removeLabelIds": ["UNREAD"]}),
        ("withAttachments", {"labelIds": [WORK]}, {"hasAttachment": True}, {"addLabelIds": [WORK]}),
        ("largeEmails", {"sizeInBytes": 9, "labelIds": [WORK]}, {"size": 9, "sizeComparison": "larger"},
         {"addLabelIds": [WORK]}),
        ("containingText", {"searchText": "a b", "markImportant": True}, {"query": '"a b"'},
         {"addLabelIds": ["IMPORTANT"]}),
        ("mailingList", {"listIdentifier": "l"}, {"query": "list:l OR subject:[l]"}, {"removeLabelIds": ["INBOX"]}),
    ],
)  # fmt: skip
def test_a_template_makes_criteria_and_action(
    say: Say, gmail: LocalApp, template: str, given: dict[str, Any], criteria: dict[str, Any], action: dict[str, Any]
) -> None:
    said = say("create_filter_from_template", template=template, parameters=given)

    found = ID.search(said)
    assert found is not None
    assert said == f"Filter created from template '{template}':\nID: {found[1]}\nTemplate used: {template}"
    assert newest_filter(gmail) == (criteria, action)


@pytest.mark.fact("templates")
@pytest.mark.parametrize(
    ("template", "given", "said"),
    [
        ("fromSender", {"subjectText": "s"}, "senderEmail is required for fromSender template"),
        ("withSubject", {"subjectText": ""}, "subjectText is required for withSubject template"),
        ("largeEmails", {"sizeInBytes": 0}, "sizeInBytes is required for largeEmails template"),
        ("containingText", {}, "searchText is required for containingText template"),
        ("mailingList", {}, "listIdentifier is required for mailingList template"),
        ("mailingList", {"listIdentifier": "l", "archive": False},
         "Invalid filter criteria or action: Filter doesn't have any actions"),
    ],
)  # fmt: skip
def test_a_template_needs_what_it_is_about(say: Say, template: str, given: dict[str, Any], said: str) -> None:
    assert say("create_filter_from_template", template=template, parameters=given) == f"Error: {said}"
