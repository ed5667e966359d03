"""Gmail's search operators."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from farm.testing import LocalApp
from tests.apps.gmail.mailbox import (
    ADDRESS,
    CHINESE,
    DRAFT,
    FILTER,
    INVOICE,
    NEWSLETTER,
    NOW,
    NOW_MS,
    OLD,
    PAGE,
    PHOTOS,
    PLAN,
    PLAN_REPLY,
    ROWS,
    SPAM,
    TRASHED,
    message,
)

Find = Callable[[str], list[str]]
SEEN = [PHOTOS, CHINESE, DRAFT, PAGE, NEWSLETTER, INVOICE, PLAN_REPLY, PLAN, OLD]


@pytest.mark.fact("list")
def test_a_search_shows_ten_lines_of_four_newest_first_and_nothing_as_nothing(gmail: LocalApp) -> None:
    sender = f"From: Mira Sol <{ADDRESS}>"

    assert gmail.call("search_emails", query="in:sent OR in:drafts") == (
        f"ID: {DRAFT}\nSubject: Re: Invoice 4711\n{sender}\nDate: Sat, 7 Mar 2026 14:00:00 +0100\n\n"
        f"ID: {PLAN_REPLY}\nSubject: Re: Harbour plan\n{sender}\nDate: Wed, 4 Mar 2026 02:00:00 +0100\n"
    )
    assert gmail.call("search_emails", query="nothing like this") == ""
    assert gmail.call("search_emails", query="in:anywhere").count("ID: ") == 10
    assert gmail.call("search_emails", query="in:anywhere", maxResults=0).count("ID: ") == 10
    assert gmail.call("search_emails", query="in:anywhere", maxResults=2).count("ID: ") == 2


@pytest.mark.fact("results")
def test_a_number_of_results_is_whole_and_counts_to_500(gmail: LocalApp) -> None:
    for number in range(510):
        row = message(f"{number + 1:016x}", 20, "A <a@b.example>", "Many", "of them")
        gmail.episode.db.insert("messages", **{key: value for key, value in row.items() if key != "table"})

    assert gmail.call("search_emails", query="subject:many", maxResults=1000).count("ID: ") == 500
    for refused in (-1, 2.5):
        said = gmail.result("search_emails", query="x", maxResults=refused)["content"][0]["text"]
        assert said == f"Error: Invalid value at 'max_results' (TYPE_UINT32), \"{refused}\""


@pytest.mark.fact("operators", "recipients", "hidden")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", SEEN),
        ("from:anna", [PHOTOS, PLAN, OLD]),
        ("from:anna@nordwind.example", [PHOTOS, PLAN, OLD]),
        ("from:nordwind.example", [PHOTOS, PLAN, OLD]),
        ("from:me", [DRAFT, PLAN_REPLY]),
        ("from:(bo OR pager)", [PAGE, INVOICE]),
        ("to:castro", [DRAFT, PLAN]),
        ("to:me", [PHOTOS, CHINESE, NEWSLETTER, INVOICE, PLAN, OLD]),
        ("cc:me", [PHOTOS]),
        ("subject:invoice", [DRAFT, INVOICE]),
        ('subject:"harbour plan"', [PLAN_REPLY, PLAN]),
        ("subject:(plan harbour)", [PLAN_REPLY, PLAN]),
        ("INVOICE", [DRAFT, INVOICE]),
        ("invoic", []),
        ("invoice-4711", [DRAFT, INVOICE]),
        ('"plan harbour"', []),
        ("plan harbour", [PLAN_REPLY, PLAN]),
        ("noon", [NEWSLETTER]),
        ("样品", [CHINESE]),
        ("品样", []),
        ("has:attachment", [PHOTOS, INVOICE]),
        ("has:document", [OLD]),
        ("has:userlabels", [PAGE, INVOICE, PLAN]),
        ("has:nouserlabels in:inbox", [CHINESE, NEWSLETTER]),
        ("filename:pdf", [INVOICE]),
        ("filename:invoice-4711.pdf", [INVOICE]),
        ("filename:März", [INVOICE]),
        ("label:work", [PAGE, INVOICE]),
        ("label:Clients-Nord-Wind", [PLAN]),
        ('label:"clients/nord wind"', [PLAN]),
        ("label:starred", [INVOICE]),
        ("in:inbox", [CHINESE, PAGE, NEWSLETTER, INVOICE, PLAN]),
        ("in:sent", [PLAN_REPLY]),
        ("in:drafts", [DRAFT]),
        ("in:archive", [PHOTOS, OLD]),
        ("in:trash", [TRASHED]),
        ("in:spam", [SPAM]),
        ("in:anywhere invoice", [SPAM, DRAFT, INVOICE]),
        ("-in:trash ignore", []),
        ("is:unread", [PHOTOS, CHINESE, NEWSLETTER, INVOICE]),
        ("is:read in:inbox", [PAGE, PLAN]),
        ("is:important", [PLAN]),
        ("category:promotions", [NEWSLETTER]),
        ("category:updates OR category:promotions", [PAGE, NEWSLETTER]),
        ("larger:40K", [NEWSLETTER, INVOICE]),
        ("size:48000", [NEWSLETTER]),
        ("smaller:1K", []),
        ("list:tide.news.example", [NEWSLETTER]),
        (f"rfc822msgid:<{PLAN}@mail.gmail.com>", [PLAN]),
        ("is:unread -has:attachment", [CHINESE, NEWSLETTER]),
        ("in:inbox -{from:bo from:pager}", [CHINESE, NEWSLETTER, PLAN]),
        ("-(invoice OR plan) in:inbox", [CHINESE, PAGE, NEWSLETTER]),
        ("in:inbox invoice OR plan", [INVOICE, PLAN]),
        ("{subject:plan is:starred}", [INVOICE, PLAN_REPLY, PLAN]),
        ("pump | noon", [PAGE, NEWSLETTER]),
        ("pump AND stopped", [PAGE]),
        ("harbour AROUND 5 review", [PLAN]),
        ("hi AROUND 2 review", []),
        ("+pump", [PAGE]),
        ("nonsense:plan", []),
        ("(", SEEN),
        (') OR "', SEEN),
        ("after:nonsense", []),
        ("(" * 3_000 + "pump", [PAGE]),
        ("-(" * 3_000 + "pump", [PAGE]),
        ("+" * 3_000 + "pump", [PAGE]),
    ],
)
def test_each_operator_finds_what_it_is_for(find: Find, query: str, found: list[str]) -> None:
    assert find(query) == found


@pytest.mark.fact("days", "operators")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        # The plan came at 17:00 on the second of March in California, when it was the third in Europe.
        ("after:2026/03/02 before:2026/03/03", [PLAN]),
        ("after:2026-03-03 before:2026-03-04", [PLAN_REPLY]),
        ("after:03/02/2026 older:2026/03/04", [PLAN_REPLY, PLAN]),
        (f"after:{NOW_MS // 1000 - 86_400}", [PHOTOS, CHINESE]),
        ("newer:2026/03/07", [PHOTOS, CHINESE, DRAFT]),
        ("newer_than:1d", [PHOTOS, CHINESE]),
        ("newer_than:12h", [PHOTOS, CHINESE]),
        ("older_than:5d newer_than:1m", [PLAN]),
        ("older_than:1y", [OLD]),
        ("after:2026/02/31 in:inbox", []),
    ],
)
def test_days_are_those_of_california(find: Find, query: str, found: list[str]) -> None:
    assert find(query) == found


@pytest.mark.fact("operators")
@pytest.mark.parametrize(
    "query",
    [
        "after:" + "9" * 5_000,
        "after:²²²²²",
        "pump AROUND ² stopped",
        "pump AROUND " + "9" * 5_000 + " stopped",
        "pump AROUND" + "9" * 5_000 + " stopped",
        "newer_than:" + "9" * 5_000 + "d",
        "size:" + "9" * 5_000,
    ],
)
def test_a_number_nobody_can_read_is_words(find: Find, query: str) -> None:
    assert find(query) == []


@pytest.mark.fact("operators")
@pytest.mark.parametrize("opening", ["(", "if(", "-(", "{", "subject:(", "subject:{", "({", "pump OR ("])
def test_brackets_in_brackets_are_no_error_however_deep(gmail: LocalApp, opening: str) -> None:
    for depth in (40, 41, 66, 199, 200, 5_000):
        for query in (opening * depth, opening * depth + "pump" + ")" * depth * 2):
            assert "error" not in gmail.result("search_emails", query=query)


@pytest.mark.fact("operators")
@pytest.mark.parametrize("depth", [1, 40, 41, 199])
def test_words_in_brackets_are_found_however_deep(find: Find, depth: int) -> None:
    assert find("pump(" * depth + "stopped" + ")" * depth) == [PAGE]


@pytest.mark.fact("operators")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        # OR binds its two neighbours, whatever stands around them; AND says nothing.
        ("OR pump", [PAGE]),
        ("| pump", [PAGE]),
        ("pump OR", [PAGE]),
        ("pump OR OR noon", [PAGE, NEWSLETTER]),
        ("pump OR noon high", [NEWSLETTER]),
        ("high pump OR noon", [NEWSLETTER]),
        ("pump AND noon", []),
        ("pump OR AND noon", [PAGE, NEWSLETTER]),
        ("(pump AND stopped) OR noon", [PAGE, NEWSLETTER]),
        ("{pump OR noon}", [PAGE, NEWSLETTER]),
        ("{pump AND noon}", [PAGE, NEWSLETTER]),
        ("{pump | noon}", [PAGE, NEWSLETTER]),
        ("{pump noon} stopped", [PAGE]),
        ("{pump noon) stopped", [PAGE]),
        ("{(pump stopped) (noon pump)}", [PAGE]),
        ("pump (", [PAGE]),
        ("(pump) noon", []),
        ("(pump noon", []),
        (") pump", [PAGE]),
        ("pump ) noon", []),
        ("pump }} stopped", [PAGE]),
        # What binds nothing is nothing.
        ("pump -)", [PAGE]),
        ("pump -} stopped", [PAGE]),
        ("+) pump", [PAGE]),
        ("--pump", [PAGE]),
        ("-pump in:inbox", [CHINESE, NEWSLETTER, INVOICE, PLAN]),
        ('-"pump stopped" in:inbox', [CHINESE, NEWSLETTER, INVOICE, PLAN]),
        ("in:inbox -is:unread -cc:bo", [PAGE]),
        # All in an operator's brackets is the operator's.
        ("from:{bo pager}", [PAGE, INVOICE]),
        ("from:(-bo -pager -anna) in:inbox", [CHINESE, NEWSLETTER]),
        ("from:(+bo)", [INVOICE]),
        ("from:((bo))", [INVOICE]),
        ("from:({bo pager})", [PAGE, INVOICE]),
        ('from:"anna anna"', []),
        ('from:"anna berg"', [PHOTOS, PLAN, OLD]),
        ("from:(berg anna)", [PHOTOS, PLAN, OLD]),
        ("subject:(plan to:anna)", [PLAN_REPLY]),
        ("subject:(harbour AROUND 1 plan)", []),
        ("pump:from:pager", [PAGE]),
        ("pump:-noon", [PAGE]),
        ("harbour:plan", [PLAN_REPLY, PLAN]),
        ("plan:harbour", []),
        # AROUND counts the words between two, in one text, whichever comes first.
        ("harbour AROUND 4 review", []),
        ("review AROUND 5 harbour", [PLAN]),
        ("review AROUND 4 harbour", []),
        ("harbour AROUND5 review", [PLAN]),
        ("harbour AROUND4 review", []),
        ("harbour AROUND 1 plan", [PLAN_REPLY, PLAN]),
        ("harbour AROUND 0 plan", []),
        ("harbour AROUND 5 review noon", []),
        ("harbour AROUND 5 review mira", [PLAN]),
        ("harbour AROUND5 review noon", []),
        ("harbour AROUND5 review mira", [PLAN]),
        ('"harbour plan" AROUND 4 "for review"', [PLAN]),
        ('"harbour plan" AROUND 3 "for review"', []),
        ('harbour "AROUND" 5 review', []),
        ('harbour "AROUND5" review', []),
        ("harbour around 5 review", []),
        ("harbour AROUND many review", []),
        ("harbour AROUND 5", []),
        ("harbour AROUND5", []),
        ("harbour AROUND", []),
        ("re AROUND 50 monday", []),
        ("noon AROUND 50 review", []),
    ],
)
def test_terms_are_bound_as_they_stand(find: Find, query: str, found: list[str]) -> None:
    assert find(query) == found


@pytest.mark.fact("operators", "recipients", "hidden")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("FROM:Anna", [PHOTOS, PLAN, OLD]),
        ("from:ME", [DRAFT, PLAN_REPLY]),
        ("from:castro", [INVOICE]),
        ("to:ME -in:inbox", [PHOTOS, OLD]),
        ("deliveredto:castro", [DRAFT, PLAN]),
        ("to:pager", []),
        ("cc:castro", [PLAN]),
        ("cc:anna", []),
        ("bcc:castro", []),
        ("subject:pump", [PAGE]),
        ("subject:total", []),
        ("subject:问题", [CHINESE]),
        # A word may stand in a subject, a text, a header of people or a file's name.
        ("castro", [DRAFT, INVOICE, PLAN]),
        ("ops-alerts", [PAGE]),
        ("4711", [DRAFT, INVOICE]),
        ("xlsx", [INVOICE]),
        ("i'll", [PLAN_REPLY]),
        ("ll", []),
        ("谢谢", [CHINESE]),
        ("地址 样品", [CHINESE]),
        ("***", SEEN),
        ("filename:PDF", [INVOICE]),
        ("filename:.pdf", [INVOICE]),
        ("filename:txt", [PHOTOS]),
        ("filename:invoice", [INVOICE]),
        ("filename:plan", []),
        ("label:WORK", [PAGE, INVOICE]),
        ("label:inbox", [CHINESE, PAGE, NEWSLETTER, INVOICE, PLAN]),
        ("label:unread", [PHOTOS, CHINESE, NEWSLETTER, INVOICE]),
        ("label:draft", [DRAFT]),
        ("label:drafts", [DRAFT]),
        ("label:trash", [TRASHED]),
        ("label:spam", [SPAM]),
        ("label:none", []),
        ("in:work", [PAGE, INVOICE]),
        ("in:clients-nord-wind", [PLAN]),
        ("in:bin", [TRASHED]),
        ("in:trash OR in:spam", [TRASHED, SPAM]),
        ("in:trash", [TRASHED]),
        ("-in:spam in:trash", [TRASHED]),
        ("in:all is:unread", [PHOTOS, CHINESE, SPAM, NEWSLETTER, INVOICE]),
        ("in:anywhere from:anna", [PHOTOS, TRASHED, PLAN, OLD]),
        ("in:read", [DRAFT, PAGE, PLAN_REPLY, PLAN, OLD]),
        ("in:unread", [PHOTOS, CHINESE, NEWSLETTER, INVOICE]),
        ("in:starred", [INVOICE]),
        ("in:important", [PLAN]),
        ("in:draft", [DRAFT]),
        ("in:snoozed", []),
        ("in:muted", []),
        ("in:scheduled", []),
        ("is:read", [DRAFT, PAGE, PLAN_REPLY, PLAN, OLD]),
        ("is:starred", [INVOICE]),
        ("is:sent", [PLAN_REPLY]),
        ("is:draft", [DRAFT]),
        ("is:nonsense", []),
        ("category:updates", [PAGE]),
        ("category:social", []),
        ("category:nonsense", []),
        ("has:star", [INVOICE]),
        ("has:yellow-star", [INVOICE]),
        ("has:drive", [OLD]),
        ("has:spreadsheet", []),
        ("has:youtube", []),
        ("has:nonsense", []),
        ("HAS:Attachment", [PHOTOS, INVOICE]),
        ("list:news", [NEWSLETTER]),
        ("list:other.example", []),
        ("list:nordwind.example", []),
        (f"rfc822msgid:{PLAN.upper()}@MAIL.gmail.com", [PLAN]),
        ("rfc822msgid:none@mail.gmail.com", []),
        ("larger:48kb", [NEWSLETTER]),
        ("larger:58.5k", [NEWSLETTER]),
        ("larger:0.04M", [NEWSLETTER, INVOICE]),
        ("larger:59999", [NEWSLETTER]),
        ("larger:60000", []),
        ("larger:1G", []),
        ("larger_than:50000", [NEWSLETTER]),
        ("size:50K", [NEWSLETTER]),
        ("smaller:2K", [each for each in SEEN if each not in (NEWSLETTER, INVOICE)]),
        ("smaller:2000", []),
        ("smaller_than:50000", [each for each in SEEN if each != NEWSLETTER]),
        ("smaller:1M", SEEN),
        ("larger:nonsense", []),
    ],
)
def test_an_operator_looks_at_one_thing(find: Find, query: str, found: list[str]) -> None:
    assert find(query) == found


@pytest.mark.fact("operators", "hidden")
def test_chats_are_found_as_chats_and_not_in_the_archive(gmail: LocalApp, find: Find) -> None:
    gmail.episode.db.insert("message_labels", message_id=OLD, label_id="CHAT")

    for query in ("in:chats", "in:chat", "is:chat", "label:chats", "label:chat"):
        assert find(query) == [OLD]
    assert find("in:archive") == [PHOTOS]
    assert find("from:anna -in:chats") == [PHOTOS, PLAN]


@pytest.mark.fact("operators")
def test_html_alone_is_searched_as_it_is_read(gmail: LocalApp, find: Find) -> None:
    page = '<p>Timetable <a href="https://ferry.example/winter">for you</a></p>'
    for key, text in (("1", None), ("2", "Plain words")):
        row = message(f"{key:0>16}", 0.1, "A <a@b.example>", "Ferry", text) | {"body_html": page}
        gmail.episode.db.insert("messages", **{name: value for name, value in row.items() if name != "table"})

    assert find("timetable for you") == ["0000000000000001"]
    assert find("winter") == []
    assert find("plain words subject:ferry") == ["0000000000000002"]


@pytest.mark.fact("operators")
@pytest.mark.parametrize(
    ("name", "written"),
    [("R&D (new)/Bids", "r-d-new-bids"), ("(Later)", "later"), ('a "b"|c', "a-b-c"), ("it's", "it's")],
)
def test_a_label_is_written_in_small_letters_with_hyphens(gmail: LocalApp, find: Find, name: str, written: str) -> None:
    made = gmail.text("create_label", name=name).split("\n")[1].removeprefix("ID: ")
    gmail.text("modify_email", messageId=OLD, addLabelIds=[made])

    assert find(f"label:{written}") == [OLD]
    assert find(f"in:{written.upper()}") == [OLD]
    assert find("has:userlabels from:anna") == [PLAN, OLD]


@pytest.mark.fact("days", "operators")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("before:2026/03/03", [PLAN, OLD]),
        ("older:3/3/2026", [PLAN, OLD]),
        ("after:2026/3/7", [PHOTOS, CHINESE, DRAFT]),
        ("newer:03-07-2026", [PHOTOS, CHINESE, DRAFT]),
        (f"before:{NOW_MS // 1000 - 6 * 86_400}", [OLD]),
        (f"older:{NOW_MS // 1000 - 6 * 86_400 + 1}", [PLAN, OLD]),
        (f"newer:{NOW_MS // 1000 - 12 * 3_600}", [PHOTOS, CHINESE]),
        (f"newer:{NOW_MS // 1000 - 12 * 3_600 + 1}", [PHOTOS]),
        ("newer_than:7h", [PHOTOS]),
        ("newer_than:5H", []),
        ("newer_than:2d", [PHOTOS, CHINESE, DRAFT, PAGE]),
        ("newer_than:143h in:inbox", [CHINESE, PAGE, NEWSLETTER, INVOICE]),
        ("older_than:143h", [PLAN, OLD]),
        ("older_than:1w", [OLD]),
        ("newer_than:1w", [each for each in SEEN if each != OLD]),
        ("older_than:61w", []),
        ("older_than:59w", [OLD]),
        ("older_than:13m", [OLD]),
        ("older_than:14m", []),
        ("newer_than:14m", SEEN),
        ("newer_than:13m", [each for each in SEEN if each != OLD]),
        ("newer_than:1y", [each for each in SEEN if each != OLD]),
        ("older_than:2y", []),
        ("newer_than:2y", SEEN),
        ("newer_than:9999y", SEEN),
        ("older_than:9999y", []),
        ("newer_than:9999h", [each for each in SEEN if each != OLD]),
        ("newer_than:10000h", []),
        ("newer_than:1x", []),
        ("after:2026/13/01", []),
        ("before:12345", []),
    ],
)
def test_times_are_those_that_are_named(find: Find, query: str, found: list[str]) -> None:
    assert find(query) == found


@pytest.mark.fact("days")
@pytest.mark.parametrize("edge", ["6d", "144h", "4d", "420d", "60w"])
def test_a_mail_is_either_newer_or_older(find: Find, edge: str) -> None:
    newer, older = find(f"newer_than:{edge}"), find(f"older_than:{edge}")

    assert newer + older == SEEN


@pytest.mark.fact("days")
def test_a_day_begins_at_midnight_in_california_in_winter_and_in_summer(gmail: LocalApp, find: Find) -> None:
    # Midnight there is at eight in winter, at seven in summer.
    for number, at_ms in enumerate((1_767_254_400_000, 1_782_889_200_000), start=1):
        for earlier in (0, 1):
            row = message(f"{number * 2 - earlier:016x}", 0, "A <a@b.example>", "Midnight", "x")
            row |= {"internal_ms": at_ms - earlier}
            gmail.episode.db.insert("messages", **{name: value for name, value in row.items() if name != "table"})

    assert find("subject:midnight before:2026/01/01") == ["0000000000000001"]
    assert find("subject:midnight after:2026/01/01 before:2026/07/01") == ["0000000000000003", "0000000000000002"]
    assert find("subject:midnight after:2026/07/01") == ["0000000000000004"]


@pytest.mark.fact("operators")
@pytest.mark.parametrize(
    ("now", "query", "is_found"),
    [
        ("2026-03-31T12:00:00Z", "older_than:1m", True),  # since the 28th of February at noon
        ("2026-03-31T11:00:00Z", "older_than:1m", False),
        ("2026-03-31T12:00:00Z", "newer_than:1m", False),
        ("2027-02-28T12:00:00Z", "older_than:1y", True),
        ("2027-02-28T11:00:00Z", "older_than:1y", False),
        ("2027-01-28T12:00:00Z", "older_than:11m", True),
        ("2027-01-28T11:00:00Z", "older_than:11m", False),
        ("2026-12-28T12:00:00Z", "older_than:10m", True),
        ("2026-12-28T11:00:00Z", "older_than:10m", False),
    ],
)
def test_months_end_on_the_28th_at_the_latest(
    start: Callable[..., LocalApp], now: str, query: str, is_found: bool
) -> None:
    row = message(PLAN, 0, "A <a@b.example>", "Noon", "x") | {"internal_ms": 1_772_279_940_000}  # 11:59 on the 28th
    account = next(each for each in ROWS if each["table"] == "accounts")
    app = start("gmail", rows=[account, row], me="mira", now=now)

    assert (PLAN in app.call("search_emails", query=query)) == is_found


@pytest.mark.fact("operators")
@pytest.mark.parametrize(
    ("query", "is_read"),
    [
        ("-pump " * 200, True),
        ("-pump " * 201, False),
        ("(" * 40 + "-pump", True),
        ("(" * 41 + "-pump", False),
        ("{" * 40 + "-pump" + "}" * 40, True),
        ("{" * 41 + "-pump" + "}" * 41, False),
        ("{" * 20 + "(" * 21 + "-pump", False),
        ("()" * 45 + "-pump", True),
        ("()" * 3 + "(" * 40 + "-pump", True),
        ("()" * 3 + "(" * 41 + "-pump", False),
        (")))" + "(" * 40 + "-pump", True),
        (")))" + "(" * 41 + "-pump", False),
        ("(()" + "(" * 39 + "-pump", True),
        ("(()" + "(" * 40 + "-pump", False),
        ("({(" + "})" + "(" * 39 + "-pump", True),
        ("({(" + "})" + "(" * 40 + "-pump", False),
        ("(" * 41 + ")" * 41 + "-pump", False),
    ],
)
def test_too_many_brackets_and_signs_leave_the_words_alone(find: Find, query: str, is_read: bool) -> None:
    assert find(query) == ([each for each in SEEN if each != PAGE] if is_read else [PAGE])


@pytest.mark.fact("list")
def test_another_s_mailbox_is_not_searched(start: Callable[..., LocalApp]) -> None:
    other = {"table": "accounts", "account_id": "109", "person": "bo", "address": "bo@b.example", "name": "Bo"}
    label = {"table": "labels", "label_id": "Label_9", "account_id": "109", "name": "Harbour"}
    app = start("gmail", rows=[*ROWS, other, label], me="bo", now=NOW)

    assert app.call("search_emails", query="in:anywhere") == ""
    for tool, arguments in (("read_email", {}), ("modify_email", {"addLabelIds": ["INBOX"]})):
        said = app.result(tool, messageId=PLAN, **arguments)["content"][0]["text"]
        assert said == "Error: Requested entity was not found."
    assert app.text("list_email_labels").endswith("\nUser Labels:\nID: Label_9\nName: Harbour\n")
    for tool in ("get_filter", "delete_filter"):
        said = app.result(tool, filterId=FILTER)["content"][0]["text"]
        assert said == f'Error: Filter with ID "{FILTER}" not found.'
    assert app.text("create_label", name="Work").startswith("Label created successfully:")


@pytest.mark.fact("list")
def test_of_many_messages_the_newest_are_shown_whatever_stands_between_them(gmail: LocalApp, find: Find) -> None:
    for number in range(400):
        row = message(f"{number + 1:016x}", 100, "A <a@b.example>", f"Lot {number % 100}", "x")
        gmail.episode.db.insert("messages", **{name: value for name, value in row.items() if name != "table"})

    assert find('subject:"lot 7"') == [f"{number + 8:016x}" for number in (300, 200, 100, 0)]
    said = gmail.call("search_emails", query="subject:lot OR from:anna", maxResults=500)
    assert said.count("ID: ") == 403
    assert said.split("\n")[-5] == f"ID: {OLD}"


@pytest.mark.fact("operators")
def test_what_binds_terms_is_no_word_to_look_for(gmail: LocalApp, find: Find) -> None:
    gmail.text("draft_email", to=[], subject="Salt and pepper or oil", body="around 1")

    for query in ("pump OR noon", "{pump OR noon}", "{pump AND noon}", "{pump | noon}"):
        assert find(query) == [PAGE, NEWSLETTER]
    assert find("pump AND stopped") == [PAGE]
    assert len(find("salt and pepper")) == len(find("salt or pepper")) == len(find("{noise and}")) == 1
