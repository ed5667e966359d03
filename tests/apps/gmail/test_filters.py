"""Filters."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.gmail.mailbox import ADDRESS, FILTER, ME, NOW_MS, WORK

Say = Callable[..., str]
Find = Callable[[str], list[str]]
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


@pytest.mark.fact("myself", "filters")
@pytest.mark.parametrize(
    ("criteria", "is_meant"),
    [
        ({"from": "mira sol"}, True),
        ({"from": "bo"}, False),
        ({"to": ADDRESS}, True),
        ({"to": "copy@b.example"}, True),
        ({"to": "bo"}, False),
        ({"subject": "(tide OR harbour)"}, True),
        ({"subject": "tables"}, False),
        ({"query": "tables"}, True),
        ({"query": "ebb OR tables", "subject": "harbour"}, True),
        ({"query": "harbour", "from": "bo"}, False),
        ({"negatedQuery": "tables"}, False),
        ({"negatedQuery": "ebb OR flood"}, True),
        ({"hasAttachment": True}, True),
        ({"query": "filename:notes.txt"}, True),
        ({"excludeChats": True, "subject": "harbour"}, True),
        ({"size": 5_000, "sizeComparison": "larger"}, True),
        ({"size": 5_000, "sizeComparison": "smaller"}, False),
        ({"size": 9_000, "sizeComparison": "larger"}, False),
        ({"size": 9_000, "sizeComparison": "smaller"}, True),
        ({"size": 9_000, "subject": "harbour"}, True),
        ({"size": 9_000, "sizeComparison": "unspecified", "subject": "harbour"}, True),
        ({"query": "in:inbox is:unread in:sent"}, True),
        ({"query": "label:work"}, False),
    ],
)
def test_a_filter_means_the_mail_that_all_its_criteria_fit(
    say: Say, gmail: LocalApp, criteria: dict[str, Any], is_meant: bool
) -> None:
    say("create_filter", criteria=criteria, action={"addLabelIds": [WORK], "removeLabelIds": ["UNREAD"]})
    mail: dict[str, Any] = {"to": [ADDRESS], "cc": ["copy@b.example"], "subject": "Harbour", "body": "tables " * 1000}

    sent = say("send_email", **mail, attachments=["out/notes.txt"])[-16:]

    rows = gmail.episode.db.all("SELECT * FROM message_labels WHERE message_id = ? ORDER BY label_id", sent)
    assert [row["label_id"] for row in rows] == (["INBOX", WORK] if is_meant else ["INBOX", "UNREAD"])


@pytest.mark.fact("myself", "filters")
def test_mail_without_what_a_filter_wants_is_not_meant(say: Say, find: Find) -> None:
    say("create_filter", criteria={"hasAttachment": True}, action={"addLabelIds": [WORK]})
    say("create_filter", criteria={"negatedQuery": "private"}, action={"addLabelIds": ["STARRED"]})
    say("create_filter", criteria={"subject": "note"}, action={"forward": "archive@tidepool.example"})

    sent = say("send_email", to=[ADDRESS], subject="Note", body="private")[-16:]

    assert find("in:inbox is:unread in:sent -is:starred has:nouserlabels") == [sent]


@pytest.mark.fact("filters")
def test_a_filter_is_kept_in_google_s_order_with_all_that_it_says(say: Say, gmail: LocalApp) -> None:
    criteria = {
        "sizeComparison": "smaller", "size": 7, "excludeChats": True, "hasAttachment": True, "negatedQuery": "n",
        "query": "q", "subject": "s", "to": "t", "from": "f",
    }  # fmt: skip
    action = {"forward": "ARCHIVE@tidepool.example", "removeLabelIds": ["SPAM"], "addLabelIds": [WORK, "STARRED"]}

    found = ID.search(say("create_filter", criteria=criteria, action=action))

    assert found is not None
    assert say("get_filter", filterId=found[1]) == (
        f"Filter details:\nID: {found[1]}\n"
        "Criteria: from: f, to: t, subject: s, query: q, negatedQuery: n, hasAttachment: true, excludeChats: true, "
        "size: 7, sizeComparison: smaller\n"
        f"Actions: addLabelIds: {WORK}, STARRED, removeLabelIds: SPAM, forward: ARCHIVE@tidepool.example"
    )
    (change,) = gmail.changes()["filters"]
    assert (change["op"], change["new"]["account_id"], change["new"]["created_ms"]) == ("insert", ME, NOW_MS)


@pytest.mark.fact("filters", "filter-refused")
def test_two_filters_may_share_criteria_or_action_but_not_both(say: Say) -> None:
    criteria, action = {"from": "news@tide.example"}, {"addLabelIds": ["CATEGORY_PROMOTIONS"]}

    assert "already exists" in say("create_filter", criteria=criteria | {"to": ""}, action=action | {"forward": ""})
    assert say("create_filter", criteria=criteria, action={"addLabelIds": [WORK]}).startswith("Filter created")
    assert say("create_filter", criteria={"from": "x"}, action=action).startswith("Filter created")


@pytest.mark.fact("filter-refused")
def test_a_mailbox_has_a_thousand_filters_at_most(say: Say, gmail: LocalApp) -> None:
    for number in range(998):
        row: dict[str, Any] = {
            "filter_id": f"f{number}",
            "account_id": ME,
            "created_ms": NOW_MS,
            "action": '{"addLabelIds":["SPAM"]}',
        }
        gmail.episode.db.insert("filters", **row, criteria=f'{{"from":"{number}"}}')
    action = {"addLabelIds": [WORK]}

    assert say("create_filter", criteria={"from": "a"}, action=action).startswith("Filter created")
    assert say("create_filter", criteria={"from": "b"}, action=action) == (
        "Error: Invalid filter criteria or action: Too many filters"
    )
    say("delete_filter", filterId=FILTER)
    assert say("create_filter", criteria={"from": "b"}, action=action).startswith("Filter created")


@pytest.mark.fact("filters", "filter-refused")
@pytest.mark.parametrize(
    ("size", "said"),
    [
        (2**31 - 1, None),
        (2**31, "2147483648"),
        (-(2**31), None),
        (-(2**31) - 1, "-2147483649"),
        (0.5, "0.5"),
        (1e21, "1e+21"),
    ],
)
def test_a_filter_s_size_is_a_whole_number_of_32_bits(say: Say, size: float, said: str | None) -> None:
    told = say("create_filter", criteria={"from": "a", "size": size}, action={"addLabelIds": [WORK]})

    if said is None:
        assert f"\nCriteria: from: a, size: {size}\n" in told
    else:
        assert told == (
            f"Error: Invalid filter criteria or action: Invalid value at 'criteria.size' (TYPE_INT32), {said}"
        )


@pytest.mark.fact("filter-refused")
@pytest.mark.parametrize(
    ("criteria", "action", "said"),
    [
        ({"size": 5}, {"addLabelIds": [WORK]}, "Filter doesn't have any criteria"),
        ({"size": 5, "sizeComparison": "unspecified"}, {"addLabelIds": [WORK]}, "Filter doesn't have any criteria"),
        ({"from": "", "hasAttachment": False, "size": 0}, {"addLabelIds": [WORK]}, "Filter doesn't have any criteria"),
        ({}, {}, "Filter doesn't have any criteria"),
        ({"from": "x"}, {}, "Filter doesn't have any actions"),
        ({"from": "x"}, {"forward": ""}, "Filter doesn't have any actions"),
        ({"from": "x" * 1600}, {}, "Filter doesn't have any actions"),
        ({"from": "x"}, {"removeLabelIds": ["Label_9"]}, "Invalid label: Label_9"),
        ({"from": "x"}, {"removeLabelIds": ["DRAFT"]}, "Invalid label: DRAFT"),
        ({"from": "x"}, {"addLabelIds": [WORK, "Work"]}, "Invalid label: Work"),
        ({"from": "x" * 800, "subject": "x" * 800}, {"addLabelIds": ["Work"]}, "The specified filter is too long"),
        ({"from": "x"}, {"addLabelIds": ["Work"], "forward": "a@b.example"}, "Invalid label: Work"),
    ],
)
def test_the_first_fault_of_a_filter_is_told(
    say: Say, gmail: LocalApp, criteria: dict[str, Any], action: dict[str, Any], said: str
) -> None:
    told = say("create_filter", criteria=criteria, action=action)

    assert told == f"Error: Invalid filter criteria or action: {said}"
    assert gmail.changes() == {}


@pytest.mark.fact("templates")
@pytest.mark.parametrize(
    ("template", "given", "criteria", "action"),
    [
        ("fromSender", {"senderEmail": "a", "labelIds": [WORK], "markAsRead": True, "markImportant": True},
         {"from": "a"}, {"addLabelIds": [WORK]}),
        ("fromSender", {"senderEmail": "a", "archive": True}, {"from": "a"}, {"removeLabelIds": ["INBOX"]}),
        ("withSubject", {"subjectText": "s", "labelIds": [WORK], "archive": True, "markImportant": True},
         {"subject": "s"}, {"addLabelIds": [WORK]}),
        ("withAttachments", {"labelIds": [WORK], "archive": True, "markAsRead": True, "senderEmail": "a"},
         {"hasAttachment": True}, {"addLabelIds": [WORK]}),
        ("largeEmails", {"sizeInBytes": 9, "labelIds": [WORK], "archive": True, "markAsRead": True},
         {"size": 9, "sizeComparison": "larger"}, {"addLabelIds": [WORK]}),
        ("containingText", {"searchText": "t", "labelIds": [WORK], "markImportant": True, "archive": True},
         {"query": '"t"'}, {"addLabelIds": [WORK, "IMPORTANT"]}),
        ("containingText", {"searchText": "t", "labelIds": [WORK], "markAsRead": True},
         {"query": '"t"'}, {"addLabelIds": [WORK]}),
        ("mailingList", {"listIdentifier": "l", "labelIds": [WORK], "archive": False, "markAsRead": True},
         {"query": "list:l OR subject:[l]"}, {"addLabelIds": [WORK]}),
        ("mailingList", {"listIdentifier": "l", "labelIds": [WORK], "archive": True},
         {"query": "list:l OR subject:[l]"}, {"addLabelIds": [WORK], "removeLabelIds": ["INBOX"]}),
    ],
)  # fmt: skip
def test_a_template_looks_at_its_own_parameters_alone(
    say: Say, gmail: LocalApp, template: str, given: dict[str, Any], criteria: dict[str, Any], action: dict[str, Any]
) -> None:
    assert say("create_filter_from_template", template=template, parameters=given).startswith("Filter created from")
    assert newest_filter(gmail) == (criteria, action)


@pytest.mark.fact("templates")
@pytest.mark.parametrize("template", ["withAttachments", "fromSender", "withSubject", "containingText", "largeEmails"])
def test_a_template_without_anything_to_do_is_refused(say: Say, template: str) -> None:
    about = {"senderEmail": "a", "subjectText": "s", "searchText": "t", "sizeInBytes": 1}

    assert say("create_filter_from_template", template=template, parameters=about) == (
        "Error: Invalid filter criteria or action: Filter doesn't have any actions"
    )
