"""Two people: what one sends arrives at the other, and neither reads or changes the other's mailbox."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.gmail.mailbox import ADDRESS, ME, NOW, PDF, PLAN, ROWS, attachment, bears, message

Row = dict[str, Any]
BO, BO_ADDRESS = "109", "bo.castro@gmail.com"
SECRET, SECRET_FILE, DRAFT, BO_LABEL, BO_FILTER = (
    "19ccab0000000001",
    "ANGjdJbo",
    "19ccab0000000002",
    "Label_99",
    "ANe1BmBo",
)
ASKED, ASKED_ID = "19ccab0000000003", "<asked@mail.gmail.com>"
TOOLS: list[Row] = json.loads((Path(__file__).parents[3] / "kernels" / "gmail" / "tools.json").read_bytes())["tools"]
OF_BO: list[Row] = [
    {
        "table": "accounts",
        "account_id": BO,
        "person": "bo",
        "address": BO_ADDRESS,
        "name": "Bo Castro",
        "folder": "/bo",
    },
    {"table": "labels", "label_id": BO_LABEL, "account_id": BO, "name": "SECRET label"},
    {"table": "filters", "filter_id": BO_FILTER, "account_id": BO, "created_ms": 1}
    | {
        "criteria": '{"subject":"tide"}',
        "action": json.dumps({"addLabelIds": [BO_LABEL], "removeLabelIds": ["INBOX"]}),
    },
    {"table": "files", "account_id": BO, "path": "/bo/SECRET.pdf", "size_bytes": 9},
    message(SECRET, 2, "Cy <cy@sea.example>", "SECRET mail", "SECRET text")
    | {"account_id": BO, "recipients": BO_ADDRESS},
    attachment(SECRET_FILE, SECRET, 1, "SECRET.pdf", "application/pdf", 99),
    message(DRAFT, 2, BO_ADDRESS, "SECRET draft", "x", kind="draft", draft_id="r-9") | {"account_id": BO},
    message(ASKED, 1, BO_ADDRESS, "Boats", "How many?", kind="sent", header_message_id=ASKED_ID)
    | {"account_id": BO, "recipients": ADDRESS},
    *bears(SECRET, "INBOX", BO_LABEL),
]


@pytest.fixture
def mira(start: Callable[..., LocalApp]) -> LocalApp:
    return start("gmail", rows=[*ROWS, *OF_BO], me="mira", now=NOW)


def send(app: LocalApp, **mail: Any) -> str:
    """Send a mail and return its id."""
    return str(app.result("send_email", **{"subject": "Hi", "body": "b", **mail})["content"][0]["text"])[-16:]


def arrived(app: LocalApp, account: str = BO) -> list[Row]:
    """Return the new messages of an account."""
    new = [each["new"] for each in app.changes().get("messages", []) if each["op"] == "insert"]
    return [row for row in new if row["account_id"] == account]


def labels(app: LocalApp, row: Row) -> list[str]:
    sql = "SELECT label_id FROM message_labels WHERE message_id = ? ORDER BY label_id"
    return [each["label_id"] for each in app.episode.db.all(sql, row["message_id"])]


@pytest.mark.fact("delivery")
@pytest.mark.parametrize("kind", ["to", "cc", "bcc"])
@pytest.mark.parametrize("address", [BO_ADDRESS, "BoCastro+tide@gmail.com"])
def test_a_mail_arrives_at_every_account_it_names(mira: LocalApp, kind: str, address: str) -> None:
    sent = send(mira, **{"to": ["eve@sea.example"], kind: [address]}, attachments=["report.pdf"])

    (copy,) = arrived(mira)
    (own,) = arrived(mira, ME)
    assert own["message_id"] == sent != copy["message_id"]
    assert (own["kind"], copy["kind"], copy["header_message_id"]) == ("sent", "received", own["header_message_id"])
    assert labels(mira, copy) == ["INBOX", "UNREAD"]
    assert labels(mira, own) == []
    new = [each["new"] for each in mira.changes()["attachments"]]
    assert [each["message_id"] for each in new] == sorted((own["message_id"], copy["message_id"]))
    assert len({each["attachment_id"] for each in new}) == 2


@pytest.mark.fact("delivery")
@pytest.mark.parametrize("address", ["b.castro@gmail.com", "bo.castro@sea.example"])
def test_a_mail_to_anybody_else_arrives_nowhere(mira: LocalApp, address: str) -> None:
    send(mira, to=[address])

    assert arrived(mira) == []


@pytest.mark.fact("delivery")
def test_a_receiver_sees_of_the_hidden_ones_only_himself(mira: LocalApp) -> None:
    send(mira, to=["eve@sea.example"], bcc=["dee@sea.example", BO_ADDRESS])

    assert [row["bcc"] for row in arrived(mira)] == [BO_ADDRESS]
    assert [row["bcc"] for row in arrived(mira, ME)] == [f"dee@sea.example, {BO_ADDRESS}"]


@pytest.mark.fact("delivery")
def test_a_mail_goes_through_the_filters_of_its_receiver(mira: LocalApp) -> None:
    send(mira, to=[BO_ADDRESS], subject="The tide")

    (copy,) = arrived(mira)
    assert labels(mira, copy) == [BO_LABEL, "UNREAD"]


@pytest.mark.fact("joining")
@pytest.mark.parametrize(
    ("mail", "is_joined"),
    [
        ({"subject": "Re: Boats", "inReplyTo": ASKED_ID}, True),
        ({"subject": "Re: Boats"}, True),
        ({"subject": "Boats"}, False),
        ({"subject": "Oars", "inReplyTo": ASKED_ID}, False),
        ({"subject": "Re: SECRET mail"}, False),
    ],
)
def test_an_answer_joins_the_thread_of_its_receiver(mira: LocalApp, mail: Row, is_joined: bool) -> None:
    send(mira, to=[BO_ADDRESS], **mail)

    (copy,) = arrived(mira)
    assert copy["thread_id"] == (ASKED if is_joined else copy["message_id"])


@pytest.mark.fact("one-mailbox")
def test_labels_of_one_copy_are_not_those_of_another(mira: LocalApp) -> None:
    sent = send(mira, to=[BO_ADDRESS])
    (copy,) = arrived(mira)

    mira.call("modify_email", messageId=sent, addLabelIds=["TRASH"])
    refused = mira.result("modify_email", messageId=copy["message_id"], addLabelIds=["TRASH"])

    assert "Requested entity was not found." in str(refused)
    assert labels(mira, copy) == ["INBOX", "UNREAD"]


VALUES: dict[str, list[Any]] = {
    "messageId": [SECRET, DRAFT, PLAN], "messageIds": [[SECRET, DRAFT]], "attachmentId": [SECRET_FILE, PDF],
    "id": [BO_LABEL], "filterId": [BO_FILTER],
    "query": ["SECRET", "in:anywhere", f"label:{BO_LABEL}", "label:SECRET-label"],
    "addLabelIds": [[BO_LABEL]], "labelIds": [[BO_LABEL]], "removeLabelIds": [[BO_LABEL], ["INBOX"]],
    "name": ["Mine"], "to": [["eve@sea.example"]], "threadId": [SECRET], "attachments": [["/bo/SECRET.pdf"]],
    "criteria": [{"from": "cy"}], "action": [{"addLabelIds": [BO_LABEL]}], "template": ["fromSender"],
    "parameters": [{"senderEmail": "cy@sea.example", "labelIds": [BO_LABEL]}], "maxResults": [100],
}  # fmt: skip
OWNED = {
    "messages": "account_id", "labels": "account_id", "filters": "account_id", "files": "account_id",
    "message_labels": "(SELECT account_id FROM messages m WHERE m.message_id = t.message_id)",
    "attachments": "(SELECT account_id FROM messages m WHERE m.message_id = t.message_id)",
}  # fmt: skip


@pytest.mark.fact("one-mailbox")
def test_no_tool_shows_or_changes_what_another_keeps(mira: LocalApp) -> None:
    kept = {table: of_bo(mira, table) for table in OWNED}
    asked, leaks = 0, []
    for tool in TOOLS:
        schema = tool["inputSchema"]
        wanted = [name for name in schema["properties"] if name in VALUES or name in schema.get("required", ())]
        for chosen in product(*(VALUES.get(name, ["x"]) for name in wanted)):
            told = str(mira.result(tool["name"], **dict(zip(wanted, chosen, strict=True))))
            asked += 1
            leaks += [(tool["name"], chosen)] if "SECRET" in told.replace("/bo/SECRET.pdf", "") else []

    assert asked > len(TOOLS)
    assert leaks == []
    assert {table: of_bo(mira, table) for table in OWNED} == kept


def of_bo(app: LocalApp, table: str) -> list[Row]:
    return app.episode.db.all(f"SELECT * FROM {table} t WHERE {OWNED[table]} = ? ORDER BY 1, 2", BO)
