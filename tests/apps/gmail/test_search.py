"""Gmail's search operators."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from farm.testing import LocalApp
from tests.apps.gmail.mailbox import (
    ADDRESS,
    CHINESE,
    DRAFT,
    INVOICE,
    NEWSLETTER,
    NOW_MS,
    OLD,
    PAGE,
    PHOTOS,
    PLAN,
    PLAN_REPLY,
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
