"""Mails of a specification: whose mailboxes hold them, where they lie there, and the clocks of their senders."""

from __future__ import annotations

from pathlib import Path

import pytest

from farm.appkit import Row
from farm.appkit.world_spec import WorldError
from farm.world import Spec
from farm.world.generate import rows_of_app
from tests.unit.world._mini_copy import copy_mini

MAIL = '[[mails]]\nmailbox = "ada"\nat = "-2 09:10"\nfrom = "Old Mill <mill@flour.example>"\n'
MAIL += 'to = ["ada"]\nsubject = "Rye"\ntext = "It is here."\n'


def test_a_sender_outside_writes_in_the_zone_of_the_world(tmp_path: Path) -> None:
    folder = copy_mini(tmp_path, {"spec/gmail/mail/old.toml": MAIL})
    world = folder / "world.toml"
    world.write_text(world.read_text("utf-8").replace('time_zone = "UTC"', 'time_zone = "Europe/Berlin"', 1), "utf-8")

    made = rows_of_app(Spec(folder).app("gmail"))

    (mail,) = [row for row in made if row["table"] == "messages" and row["subject"] == "Rye"]
    assert mail["utc_offset_minutes"] == 120


def test_a_mail_without_a_mailbox_lies_with_everybody_it_names(tmp_path: Path) -> None:
    rows = _rows(
        tmp_path,
        '[[mails]]\nkey = "flour"\nat = "-5 09:10"\nfrom = "ada"\nto = ["ben", "Old Mill <mill@flour.example>"]\n'
        'subject = "Flour"\ntext = "Two sacks?"\nfiles = { "list.pdf" = 1000 }\n'
        'copies = { ben = { box = "archive", labels = ["starred"] } }\n'
        '[[mails]]\nat = "-1 10:00"\nfrom = "Old Mill <mill@flour.example>"\nreply_to = "flour"\nto = ["ada"]\n'
        'cc = ["ben"]\nsubject = "Re: Flour"\ntext = "Two."\n',
    )

    first, second = (_copies(rows, subject) for subject in ("Flour", "Re: Flour"))

    assert first.keys() == second.keys() == {"ada", "ben"}
    assert {person: copy["kind"] for person, copy in first.items()} == {"ada": "sent", "ben": "received"}
    assert {person: _labels(rows, copy) for person, copy in first.items()} == {"ada": set(), "ben": {"STARRED"}}
    assert {person: _labels(rows, copy) for person, copy in second.items()} == {
        "ada": {"INBOX", "UNREAD"},
        "ben": {"INBOX", "UNREAD"},
    }
    assert len({copy["header_message_id"] for copy in first.values()}) == 1
    assert len({copy["message_id"] for copy in first.values()}) == 2
    arrived = [
        (int(copy["message_id"], 16) >> 20) - copy["internal_ms"] for copy in (*first.values(), *second.values())
    ]
    assert all(0 <= each < 1000 for each in arrived), "an id begins with the millisecond in which the mail arrived"
    for person in ("ada", "ben"):
        assert second[person]["thread_id"] == first[person]["message_id"]
        assert second[person]["in_reply_to"] == first[person]["header_message_id"]
        assert _attached(rows, first[person]) == ["list.pdf"]


def test_whoever_comes_to_a_conversation_late_has_a_thread_of_his_own(tmp_path: Path) -> None:
    rows = _rows(
        tmp_path,
        '[[mails]]\nkey = "rye"\nat = "-5 09:10"\nfrom = "Old Mill <mill@flour.example>"\nto = ["ada"]\n'
        'subject = "Rye"\ntext = "It is here."\n'
        '[[mails]]\nat = "-4 10:00"\nfrom = "ada"\nreply_to = "rye"\nto = ["Old Mill <mill@flour.example>"]\n'
        'cc = ["ben"]\nsubject = "Re: Rye"\ntext = "Ben comes for it."\n'
        '[[mails]]\nat = "-3 10:00"\nfrom = "ben"\nreply_to = "rye"\nto = ["ada"]\n'
        'subject = "Re: Re: Rye"\ntext = "Got it."\n',
    )

    called, answer = _copies(rows, "Re: Rye"), _copies(rows, "Re: Re: Rye")

    assert called["ben"]["thread_id"] == called["ben"]["message_id"] == answer["ben"]["thread_id"]
    assert answer["ada"]["thread_id"] == _copies(rows, "Rye")["ada"]["message_id"]


def test_hidden_receivers_are_seen_by_the_sender_and_by_themselves(tmp_path: Path) -> None:
    rows = _rows(
        tmp_path,
        '[[mails]]\nat = "-5 09:10"\nfrom = "ada"\nto = ["Old Mill <mill@flour.example>"]\n'
        'bcc = ["ben", "Eve <eve@oats.example>"]\nsubject = "Oats"\ntext = "How many?"\n',
    )

    copies = _copies(rows, "Oats")

    assert (copies["ada"]["bcc"], copies["ben"]["bcc"]) == (
        "Ben Brook <ben@plum.example>, Eve <eve@oats.example>",
        "Ben Brook <ben@plum.example>",
    )


def test_old_mails_and_answered_ones_are_read(tmp_path: Path) -> None:
    rows = _rows(
        tmp_path,
        '[[mails]]\nkey = "new"\nat = "-1 09:10"\nfrom = "ada"\nto = ["ben"]\nsubject = "New"\ntext = "?"\n'
        '[[mails]]\nat = "-1 10:00"\nfrom = "ben"\nreply_to = "new"\nto = ["ada"]\nsubject = "Re: New"\ntext = "!"\n'
        '[[mails]]\nat = "-3 10:00"\nfrom = "ada"\nto = ["ben"]\nsubject = "Old"\ntext = "."\n',
    )

    unread = {name: "UNREAD" in _labels(rows, _copies(rows, name)[who]) for name, who in _RECEIVED.items()}

    assert unread == {"New": False, "Re: New": True, "Old": False}


_RECEIVED = {"New": "ben", "Re: New": "ada", "Old": "ben"}
_TO_MILL = 'from = "Old Mill <mill@flour.example>"\nsubject = "Rye"\ntext = "It is here."\nat = "-3 10:00"\n'


@pytest.mark.parametrize(
    ("mail", "said"),
    [
        (f'mailbox = "ada"\nto = ["ben"]\n{_TO_MILL}', "it lies with 'ada', and is addressed only to others"),
        (f'to = ["Eve <eve@oats.example>"]\n{_TO_MILL}', "neither its sender nor anybody whom it names has Gmail"),
        (f'to = ["ada"]\ncopies = {{ ben = {{}} }}\n{_TO_MILL}', "neither he nor a list or group of his is named"),
        (f'to = ["ada"]\ncopies = {{ ada = {{ size = 1 }} }}\n{_TO_MILL}', "is a table of box, labels, read"),
        (f'to = ["ada"]\nbox = "sent"\n{_TO_MILL}', "no place of a mail 'sent'"),
        (f'mailbox = "ada"\nto = ["ada"]\ncopies = {{ ada = {{}} }}\n{_TO_MILL}', "'copies' belongs to mails without"),
    ],
)
def test_a_mail_that_cannot_lie_where_it_is_said_to_is_refused_with_its_line(
    tmp_path: Path, mail: str, said: str
) -> None:
    with pytest.raises(WorldError, match=r"mail/new\.toml: mail 1") as refused:
        _rows(tmp_path, f"[[mails]]\n{mail}")

    assert said in str(refused.value)


@pytest.mark.parametrize(
    "address", ['list_id = "<bread.flour.example>"\nto = ["bread@flour.example"]', 'to = ["all@plum.example"]']
)
def test_mail_over_a_list_or_to_a_group_lies_with_those_who_have_a_copy(tmp_path: Path, address: str) -> None:
    rows = _rows(tmp_path, f"[[mails]]\n{address}\n{_TO_MILL}copies = {{ ada = {{}}, ben = {{ read = false }} }}\n")

    assert _copies(rows, "Rye").keys() == {"ada", "ben"}


def _rows(root: Path, mails: str) -> list[Row]:
    return rows_of_app(Spec(copy_mini(root, {"spec/gmail/mail/new.toml": mails})).app("gmail"))


def _copies(rows: list[Row], subject: str) -> dict[str, Row]:
    """Return person → his copy of the mail with a subject."""
    people = {row["account_id"]: row["person"] for row in rows if row["table"] == "accounts"}
    return {people[row["account_id"]]: row for row in rows if row["table"] == "messages" and row["subject"] == subject}


def _labels(rows: list[Row], copy: Row) -> set[str]:
    own = [row for row in rows if row["table"] == "message_labels" and row["message_id"] == copy["message_id"]]
    return {row["label_id"] for row in own}


def _attached(rows: list[Row], copy: Row) -> list[str]:
    own = [row for row in rows if row["table"] == "attachments" and row["message_id"] == copy["message_id"]]
    return [row["filename"] for row in own]
