"""Open minutes of a specification: they are drawn, repeatable, in order, and move nothing that is not of their hour."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from farm import content
from farm.appkit.world_spec.open_minutes import draw_table_minutes, draw_talk_minutes
from farm.appkit.world_spec.talk import ScriptError
from farm.world import Spec
from farm.world.facts.spec_texts import spec_texts

MINI = Spec.load("mini")
_TIME = re.compile(r"- (?:([+-]\d+) )?(\d\d):(\d\d) ")


def talk(text: str, seed: Spec = MINI) -> str:
    return draw_talk_minutes(text, "slack/talk/a.md", seed.number)


def minutes(text: str) -> list[int]:
    return [int(found[1] or 0) * 1440 + int(found[2]) * 60 + int(found[3]) for found in _TIME.finditer(text)]


def test_a_minute_is_drawn_within_its_hour_or_its_ten_minutes() -> None:
    drawn = talk("## #a\n- -4 17:~ ada: one\n- -4 18:4~ ben {edited}: two\n- -3 9:0~ ada: three")

    hour, ten, early = minutes(drawn)
    assert -4 * 1440 + 1020 <= hour <= -4 * 1440 + 1079
    assert -4 * 1440 + 1120 <= ten <= -4 * 1440 + 1129
    assert -3 * 1440 + 540 <= early <= -3 * 1440 + 549
    assert "~" not in drawn


def test_lines_keep_their_order_between_the_written_times_around_them() -> None:
    lines = "\n".join(f"- -4 17:~ ada: line {number}" for number in range(12))
    drawn = minutes(talk(f"## #a\n- -4 17:20 ben: now\n{lines}\n- -4 17:45 ben: over"))

    assert drawn == sorted(drawn)
    assert len(set(drawn)) == len(drawn)


def test_more_lines_than_minutes_share_minutes() -> None:
    lines = "\n".join(f"- -4 17:4~ ada: line {number}" for number in range(25))

    drawn = minutes(talk(f"## #a\n{lines}"))

    assert drawn == sorted(drawn)
    assert len(set(drawn)) == 10


def test_a_lone_tilde_is_soon_after_the_line_above_also_past_midnight() -> None:
    drawn = talk("## #a\n- -1 23:59 ada: one\n" + "- ~ ben: more\n  - ~ ada: in the thread\n" * 4)

    tops = [at for line, at in zip(drawn.splitlines()[1:], minutes(drawn), strict=True) if line.startswith("- ")]
    assert tops == sorted(tops)
    assert tops[0] == -1 < tops[-1] <= 24
    assert len(re.findall(r"  - 00:\d\d ada: in the thread", drawn)) >= 3


def test_answers_of_a_thread_come_after_its_message_in_order() -> None:
    drawn = talk(
        "## #a\n- -4 17:~ ada: one\n  - 17:~ ben: two\n  - 17:~ ada: three\n  - +1 09:~ ben: four\n  - ~ ada: five"
    )

    first, second, third = minutes(drawn)[:3]
    assert first - -4 * 1440 <= second <= third
    assert re.search(r"  - \+1 09:\d\d ben: four\n  - \+1 (09|10):\d\d ada: five", drawn)


def test_another_line_moves_only_minutes_of_its_own_hour() -> None:
    before = "## #a\n- -4 17:~ ada: one\n- -4 18:~ ben: two\n- -3 09:~ ada: three\n"
    after = before.replace("- -4 18", "- -4 17:~ ben: a new line\n- -4 18").replace(
        "## #a", "## #b\n- -4 18:~ x: y\n## #a"
    )

    assert [*minutes(talk(before))][1:] == [*minutes(talk(after))][3:]


def test_the_same_specification_gives_the_same_minutes_and_another_seed_others() -> None:
    text = "## #a\n" + "\n".join(f"- -{day} 17:~ ada: line" for day in range(20, 1, -1))
    other = Spec.load("mini")
    other.seed = MINI.seed + 1

    assert talk(text) == talk(text) != talk(text, other)


def test_round_minutes_are_as_rare_as_among_drawn_numbers() -> None:
    text = "## #a\n" + "\n".join(f"- -{day} {hour:02}:~ ada: line" for day in range(60, 1, -1) for hour in range(8, 20))

    marks = Counter(at % 5 == 0 for at in minutes(talk(text)))

    assert 0.15 < marks[True] / marks.total() < 0.25


def test_a_lone_tilde_without_a_line_above_is_refused_with_its_line() -> None:
    with pytest.raises(ScriptError, match=r"^slack/talk/a.md:2: '~' follows no message; write a day and an hour"):
        talk("## #a\n- ~ ada: hello")


def test_text_that_only_looks_like_it_stays() -> None:
    text = "## #a\n- -4 17:03 ada: about 17:~ ok~\n> - -4 17:~ ada: a comment\n"

    assert talk(text) == text


def test_values_of_tables_front_matter_and_turns_are_drawn_in_order() -> None:
    text = """[[notes]]
at = "-2 20:~"
text = "first, at 20:~"
[[notes]]
at = "-2 20:~"
edited = '-2 20:~'
turns = ["-1 08:~ > hello", "-1 08:~ < good morning"]
rows = [
  { at = "-1 21:3~" },
]
"""
    read = tomllib.loads(draw_table_minutes(text, "toy/notes.toml", MINI.number))

    one, two = read["notes"]
    assert one["text"] == "first, at 20:~"
    assert "-2 20:00" <= one["at"] < two["at"] < two["edited"] <= "-2 20:59"
    assert "-1 08:00" <= two["turns"][0][:8] < two["turns"][1][:8]
    assert re.fullmatch(r"-1 21:3\d", two["rows"][0]["at"])


def test_another_table_moves_only_values_of_its_own_hour() -> None:
    table = '[[notes]]\nat = "-2 20:~"\ntext = "one"\n'
    read = tomllib.loads(draw_table_minutes('[[notes]]\nat = "-2 19:~"\n' + table, "toy/a.toml", MINI.number))

    assert read["notes"][1] == tomllib.loads(draw_table_minutes(table, "toy/a.toml", MINI.number))["notes"][0]


def test_rows_and_the_check_of_facts_read_the_same_minute(tmp_path: Path) -> None:
    spec = _mini_with(tmp_path, "slack/talk/more.md", "## #general\n- -4 17:~ ben: It is {{fact:opening.at clock}}.\n")

    (text,) = [each for each in spec_texts(spec) if each.file == "slack/talk/more.md"]
    said = spec.app("slack").talk(("edited",))
    (message,) = [each for each in said["general"] if each.place.startswith("slack/talk/more.md")]
    assert text.at == message.at


def _mini_with(tmp_path: Path, file: str, text: str) -> Spec:
    (source,) = content.world_dirs("mini")
    folder = tmp_path / "mini"
    shutil.copytree(source, folder)
    path = folder / "spec" / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return Spec(folder)
