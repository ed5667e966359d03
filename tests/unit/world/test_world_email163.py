"""163 mails of a specification: whose mailboxes they lie in, and how each of these counts them."""

from __future__ import annotations

from pathlib import Path

import pytest

from farm.appkit import Row
from farm.appkit.world_spec import WorldError
from farm.world import Spec
from farm.world.generate import rows_of_app
from tests.unit.world._mini_copy import copy_mini

MAIL = '[[mails]]\nat = "{at}"\nfrom = "Old Mill <mill@flour.example>"\nsubject = "{subject}"\ntext = "Here."\n{more}\n'


def _mails(*said: tuple[str, str, str]) -> str:
    return "".join(MAIL.format(at=at, subject=subject, more=more) for at, subject, more in said)


def _rows(root: Path, mails: str) -> list[Row]:
    return rows_of_app(Spec(copy_mini(root, {"spec/email163/mails.toml": mails})).app("email163"))


def _places(rows: list[Row]) -> dict[tuple[str, str], tuple[int, int]]:
    """Return subject and mailbox → the mail's uid and POP3 number there."""
    subjects = {row["message_key"]: row["subject"] for row in rows if row["table"] == "messages"}
    places = [row for row in rows if row["table"] == "deliveries"]
    return {(subjects[row["message_key"]], row["address"][:3]): (row["uid"], row["number"]) for row in places}


def test_a_mail_lies_with_everybody_it_names(tmp_path: Path) -> None:
    rows = _rows(
        tmp_path,
        _mails(
            ("-5 09:00", "Ours", 'to = ["ada"]\ncc = ["kim"]'),
            ("-4 09:00", "Hers", 'to = ["kim"]\nskipped = 2'),
            ("-3 09:00", "Hidden", 'to = ["Eve <eve@oats.example>"]\nbcc = ["kim", "ada"]'),
            ("-2 09:00", "Mine", ""),
        ),
    )

    assert _places(rows) == {
        ("Ours", "ada"): (1, 1),
        ("Ours", "kim"): (1, 1),
        ("Hers", "kim"): (4, 2),
        ("Hidden", "ada"): (2, 2),
        ("Hidden", "kim"): (5, 3),
        ("Mine", "ada"): (3, 3),
    }
    assert len([row for row in rows if row["table"] == "messages"]) == 4


def test_a_mail_to_nobody_with_a_mailbox_is_refused_with_its_line(tmp_path: Path) -> None:
    mails = _mails(("-5 09:00", "Ours", ""), ("-4 09:00", "Lost", 'to = ["Eve <eve@oats.example>"]'))

    with pytest.raises(WorldError, match=r"email163/mails\.toml: mail 2: nobody in its to, cc and bcc has a mailbox"):
        _rows(tmp_path, mails)
