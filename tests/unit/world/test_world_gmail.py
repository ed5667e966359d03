"""The clock of a sender without an entry is that of the world's zone."""

from __future__ import annotations

from pathlib import Path

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
