"""A world of five apps from nothing, by the steps of docs/worlds.md: scaffold, ledger, batches, answers, rows."""

from __future__ import annotations

import re
import textwrap
import tomllib
from pathlib import Path

import pytest

from farm._util.prompt_writers import FolderWriter, KeptOnly
from farm.world import Spec, audit_privacy, check, new_world, write
from farm.world.writing import write_batches
from farm.world.writing.batches import WRITE

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "worlds.md").read_text("utf-8")
APPS = ("gmail", "obsidian", "rednote", "slack", "telegram")
# File of the world → what an author writes by hand.
BY_HAND = {
    "facts/story.toml": """[[facts]]
key = "ferry.leaves"
kind = "moment"
value = "+2 08:40"
names = ["ferry", "first ferry"]
since = "-3 12:00"
former = [{ key = "first", value = "+1 08:40", until = "-3 12:00" }]
tell = ["slack", "gmail"]

[[facts]]
key = "repair.price"
kind = "amount"
unit = "GBP"
value = 2350
names = ["repair", "new gearbox"]
tell = ["gmail", "obsidian"]

[[facts]]
key = "repair.deposit"
kind = "amount"
unit = "GBP"
value = 600
names = ["deposit"]

[[facts]]
key = "repair.rest"
kind = "amount"
unit = "GBP"
value = "= repair.price - repair.deposit"
names = ["rest", "balance"]
tell = ["gmail"]

[[facts]]
key = "picnic.place"
kind = "place"
value = "Gull Point"
names = ["picnic"]
tell = ["telegram", "rednote"]
""",
    "voices.toml": """[[voices]]
person = "ada"
age = 41
trade = "harbour clerk"
tongue = "en"
full_stops = "often"
lower_case = "never"
one_emoji = "never"
habits = ["exact, short", "no greetings"]

[[voices]]
person = "ben"
age = 29
trade = "deckhand"
tongue = "en"
full_stops = "never"
lower_case = "mostly"
one_emoji = "rarely"
habits = ["two short messages", "says right then"]
""",
    "write.toml": """[[batches]]
key = "late-ferry"
app = "slack"
file = "talk/late-ferry.md"
place = "#timetable"
days = ["-4", "-2"]
speakers = ["ada", "ben"]
about = "The gearbox of the ferry breaks, and the first trip moves by a day."
facts = ["ferry.leaves", "ferry.leaves#first"]
texts = 8

[[batches]]
key = "yard"
app = "gmail"
file = "mail/yard.toml"
place = "inbox of ada: mails with the yard"
days = ["-3", "-1"]
speakers = ["ada", "cleo", "Tom <tom@yard.example>"]
about = "The yard's price, the deposit, and when the boat is back."
facts = ["repair.price", "repair.deposit", "repair.rest", "ferry.leaves"]
texts = 4

[[batches]]
key = "picnic"
app = "telegram"
file = "talk/picnic.md"
place = "#picnic"
days = ["-2", "-1"]
speakers = ["ada", "ben", "cleo"]
about = "Where to eat on Saturday."
facts = ["picnic.place"]
texts = 6

[[batches]]
key = "vault"
app = "obsidian"
file = "ada.toml"
place = "the vault of ada"
days = ["-4", "-1"]
speakers = ["ada"]
about = "Her own notes about the repair."
facts = ["repair.price", "repair.deposit"]
texts = 4

[[batches]]
key = "note"
app = "rednote"
file = "posts/picnic.toml"
place = "a note about the picnic with its comments"
days = ["-2", "-1"]
speakers = ["ada", "ben", "cleo"]
about = "A photo of gulls."
facts = ["picnic.place"]
texts = 4
""",
    "spec/slack/channels.toml": """[[channels]]
key = "timetable"
creator = "ada"
created = "-90 10:~"
members = ["ada", "ben", "cleo", "dan", "eve", "finn"]
purpose = "When boats leave"
""",
    "spec/telegram/chats.toml": """[[chats]]
key = "picnic"
kind = "group"
title = "Picnic"
creator = "ada"
created = "-9 19:~"
members = ["ada", "ben", "cleo"]
""",
}
ANSWERS = {
    "late-ferry": """## #timetable
- -4 08:~ ben: gearbox is singing again
- ~ ada: It sang all of last winter.
- -4 14:~ ada: {{fact:ferry.leaves#first weekday_en}} at {{fact:ferry.leaves#first clock}} holds for now.
- ~ ben: right then
- -3 17:~ ada: New time: {{fact:ferry.leaves weekday_en}}, {{fact:ferry.leaves clock}}. The yard needs a day more.
- ~ ben: told the school already
- ~ ben: they were fine
- -2 09:2~ ben: who took the grease gun
""",
    "yard": r"""[[mails]]
mailbox = "ada"
from = "Tom <tom@yard.example>"
at = "-3 13:~"
subject = "Gearbox"
text = "Hello Ada,\n\nit is {{fact:repair.price money}} all in. {{fact:repair.deposit money}} now, please.\n\nTom"

[[mails]]
mailbox = "ada"
from = "ada"
to = ["tom@yard.example"]
box = "sent"
at = "-2 09:~"
subject = "Re: Gearbox"
text = "Sent. The balance of {{fact:repair.rest money}} follows when she floats."

[[mails]]
mailbox = "ada"
from = "cleo"
at = "-1 16:~"
subject = "school run"
text = "Do I tell the parents {{fact:ferry.leaves weekday_en}}, or do you want to sleep on it?"

[[mails]]
mailbox = "ada"
from = "cleo"
at = "-1 18:~"
subject = "umbrella"
text = "Yours is on my hook. It drips."
""",
    "picnic": """## #picnic
- -2 18:~ cleo: so where do we eat
- ~ ben: anywhere with a wall
- ~ ada: {{fact:picnic.place}}. It has one.
- -2 20:~ cleo: gulls though
- -1 11:~ ben: bring the big tin
- ~ ada: Already in the car.
""",
    "vault": r"""[[files]]
path = "Repair.md"
made = "-3 21:~"
text = "# Repair\n\nYard wants {{fact:repair.price money}}, deposit {{fact:repair.deposit money}}.\n\nAsk Tom."

[[files]]
path = "Lists/Tin.md"
made = "-1 10:~"
text = "forks, salt, the good knife"
""",
    "note": """[[posts]]
key = "gulls"
author = "cleo"
kind = "image"
at = "-1 19:~"
title = "Gulls"
text = "{{fact:picnic.place}} belongs to them"
images = ["gulls-on-a-wall 1080x1440"]

[[comments]]
key = "gulls-c1"
post = "gulls"
author = "ben"
at = "-1 20:~"
text = "the left one took my roll"
""",
}


def test_a_world_of_five_apps_is_made_by_the_steps_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, asked = new_world("pier", APPS, 6, tmp_path / "mine"), tmp_path / "asked"
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path / "mine"))
    assert check("pier").findings == []
    for path, text in BY_HAND.items():
        (folder / path).write_text(text, "utf-8")
    (folder / "spec/obsidian/example.toml").unlink()

    waiting = write_batches(Spec.load("pier"), FolderWriter(asked, folder / "written"))
    assert [each.state for each in waiting] == ["waits"] * len(ANSWERS)
    for key, text in ANSWERS.items():
        assert (asked / f"{key}.prompt.md").is_file()
        (asked / f"{key}.answer.md").write_text(f"```\n{text}```\n", "utf-8")
    results = write_batches(Spec.load("pier"), FolderWriter(asked, folder / "written"))

    assert [(each.batch.key, each.state, [*each.problems]) for each in results] == [
        (key, "written", []) for key in ANSWERS
    ]
    assert check("pier").findings == []
    assert audit_privacy(Spec.load("pier")) == []
    assert sorted(write("pier")) == [*APPS]
    before = {path: path.read_bytes() for path in folder.glob("*.jsonl")}
    for each in results:
        each.batch.path.unlink()
    write_batches(Spec.load("pier"), KeptOnly("kept", folder / "written"))
    assert write("pier") == {}
    assert {path: path.read_bytes() for path in folder.glob("*.jsonl")} == before


def test_the_batches_of_the_page_have_declared_keys() -> None:
    (block,) = [
        each
        for each in re.findall(r"^ +```toml\n(.*?)^ +```$", PAGE, re.DOTALL | re.MULTILINE)
        if "[[batches]]" in each
    ]

    assert [*WRITE.problems(tomllib.loads(textwrap.dedent(block)), "write.toml")] == []
