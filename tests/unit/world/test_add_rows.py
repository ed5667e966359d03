"""``farm world add-rows``: rows of a real export are sanitised and checked, and a world says where they come from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from farm.appkit.world_spec import WorldError
from farm.cli import main
from farm.errors import FarmError
from farm.world import Spec, check, generate, reseed
from farm.world.authentic import read_authentic
from farm.world.privacy import audit_privacy
from tests.unit.world._mini_copy import copy_mini

ROW = {
    "table": "messages",
    "channel_id": "CHANNEL",
    "ts": "1780000000.000100",
    "user_id": "USER",
    "text": "Ring Klara on +49 151 2384 9917 or mail klara.neumann@gmail.com, karl (at) gmail.com",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = copy_mini(tmp_path / "mine", {}, name="tiny")
    world = made / "world.toml"
    world.write_text(world.read_text("utf-8").replace('name = "mini"', 'name = "tiny"'), "utf-8")
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path / "mine"))
    return made


def export(folder: Path, **changes: Any) -> list[dict[str, Any]]:
    """Return one row of a message in a channel of mini, by one of its people."""
    (message, *_) = [row for row in generate("tiny")["slack"] if row["table"] == "messages"]
    own = {**ROW, "channel_id": message["channel_id"], "user_id": message["user_id"], **changes}
    return [{name: value for name, value in own.items() if value is not ...}]


def add(folder: Path, rows: Any, *more: str) -> int:
    file = folder.parents[3] / "export.json"
    file.write_text(rows if isinstance(rows, str) else json.dumps(rows), "utf-8")
    words = ("world", "add-rows", "slack", str(file), "--world", "tiny", "--origin", "our own Slack")
    try:
        main((*words, "--licence", "CC0", "--redact", str(folder.parents[3] / "map.json"), *more))
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_rows_are_sanitised_kept_with_origin_and_licence_and_generated(folder: Path) -> None:
    assert add(folder, export(folder)) == 0

    (line,) = (folder / "spec/slack/authentic/export.jsonl").read_text("utf-8").splitlines()
    kept = json.loads(line)
    assert (kept["origin"], kept["licence"]) == ("our own Slack", "CC0")
    for private in ("2384", "9917", "gmail", "neumann", "karl"):
        assert private not in line
    assert kept["row"] in generate("tiny")["slack"]
    assert audit_privacy(Spec.load("tiny")) == []
    assert check("tiny").findings == []


def test_tables_with_lists_of_rows_are_an_export_too(folder: Path) -> None:
    (row,) = export(folder)
    table = row.pop("table")

    assert add(folder, {table: [row]}) == 0


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"table": "message"}, "row 1: no table 'message'; have "),
        ({"txt": "a"}, "row 1: messages has no column 'txt'; have "),
        ({"ts": 5}, "row 1: messages.ts must be a text, not '5'"),
        ({"ts": ...}, "row 1: messages needs 'ts'"),
        ({"text": None}, "row 1: messages.text is null, and must not be"),
        ({"user_id": "U404"}, "row 1: messages refers to users that are not there: user_id U404"),
        ({"text": "on 2024-05-01 we met"}, "row 1: messages.text has the date '2024-05-01' in its text"),
        ({"text": "加我微信：chenyu_0917"}, "row 1: messages.text: 'chenyu_0917' looks like a WeChat id"),
    ],
)
def test_a_row_that_does_not_fit_is_one_line_and_nothing_is_written(
    changes: dict[str, Any], why: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert add(folder, export(folder, **changes)) == 1

    assert why in capsys.readouterr().err
    assert not (folder / "spec/slack/authentic").exists()


def test_all_problems_are_told_one_line_each(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [*export(folder, txt="a", ts=5), *export(folder, user_id="U404"), *export(folder)]

    assert add(folder, rows) == 1

    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(": messages")[0].removeprefix("farm: ") for line in lines[:3]] == ["row 1", "row 1", "row 2"]
    assert any("row 3: messages has another row with the key" in line for line in lines)


@pytest.mark.parametrize(
    ("text", "why"),
    [("[", "is no JSON"), ("[]", "an export is a list of rows"), ('{"a": 1}', "an export is a list of rows")],
)
def test_a_file_without_rows_is_refused(text: str, why: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert add(folder, text) == 1

    assert why in capsys.readouterr().err


def test_an_export_is_added_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(folder, export(folder))
    (row,) = export(folder)

    assert add(folder, [{**row, "ts": "1780000001.000100"}]) == 1
    assert "export.jsonl exists; rename the export, or remove the file" in capsys.readouterr().err


@pytest.mark.parametrize("line", ["{", '{"row": {}}', '{"origin": "", "licence": "CC0", "row": {}}'])
def test_a_line_without_origin_and_licence_is_refused_with_its_place(line: str, tmp_path: Path) -> None:
    (tmp_path / "authentic").mkdir()
    (tmp_path / "authentic" / "a.jsonl").write_text(line, "utf-8")

    with pytest.raises(WorldError, match=r"^slack/authentic/a\.jsonl:1: "):
        read_authentic(tmp_path, "slack")


def user(folder: Path, **changes: Any) -> dict[str, Any]:
    """Return a user of mini with another id, name and address."""
    (own, *_) = [row for row in generate("tiny")["slack"] if row["table"] == "users"]
    return {
        **own,
        "id": "U9REALONE1",
        "person": None,
        "name": "kerstin.m",
        "real_name": "Kerstin Mahnke",
        "display_name": "Kerstin Mahnke",
        "first_name": "Kerstin",
        "last_name": "Mahnke",
        "email": "kerstin.mahnke@bakers.de",
        **changes,
    }


def written_rows(folder: Path) -> str:
    return (folder / "spec/slack/authentic/export.jsonl").read_text("utf-8")


def test_the_names_of_people_in_rows_are_replaced_in_texts_too(folder: Path) -> None:
    (message,) = export(folder, text="Kerstin Mahnke here, mahnke at the counter")

    assert add(folder, [user(folder), {**message, "user_id": "U9REALONE1"}]) == 0

    assert "kerstin" not in written_rows(folder).lower()
    assert "mahnke" not in written_rows(folder).lower()


def test_a_name_of_the_world_stays(folder: Path) -> None:
    assert add(folder, [user(folder, real_name="Ada Ames")]) == 0

    assert '"real_name":"Ada Ames"' in written_rows(folder)


def test_one_number_has_one_stand_in_in_all_notations(folder: Path) -> None:
    text = "0176 83920417 or +49 176 83920417 or +4917683920417"

    assert add(folder, export(folder, text=text)) == 0

    (row,) = [json.loads(line)["row"] for line in written_rows(folder).splitlines()]
    one, two, three = row["text"].split(" or ")
    assert one == two == three
    assert Spec.load("tiny").own_values.has_phone(one)
    kept = json.loads((folder.parents[3] / "map.json").read_text("utf-8"))["replaced"]["numbers"]
    assert set(kept.values()) == {one}


def test_a_stand_in_that_looks_private_is_no_complaint(folder: Path) -> None:
    assert add(folder, export(folder, text="see /home/kmahnke/x, card 4539 1488 0343 6467")) == 0

    assert "kmahnke" not in written_rows(folder)
    assert "4539 1488" not in written_rows(folder)


def test_a_row_after_the_start_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert add(folder, export(folder, ts="1790000000.000100")) == 1

    assert "row 1: messages.ts is 1790000000.000100, which is after the world's start" in capsys.readouterr().err


def test_the_audit_reads_authentic_rows_before_they_are_generated(folder: Path) -> None:
    assert add(folder, export(folder)) == 0
    path = folder / "spec/slack/authentic/export.jsonl"
    path.write_text(path.read_text("utf-8").replace('"text":"', '"text":"+49 151 2384 9917 '), "utf-8")
    (folder / "slack.jsonl").write_text("", "utf-8")

    found = [each for each in audit_privacy(Spec.load("tiny")) if each.value == "+49 151 2384 9917"]

    assert [each.place for each in found] == ["spec/slack/authentic: messages.text"]


def test_a_world_with_rows_of_an_export_has_no_edition(folder: Path, tmp_path: Path) -> None:
    add(folder, export(folder))

    with pytest.raises(FarmError, match=r"^world 'tiny' has rows of an export, spec/slack/authentic/export.jsonl"):
        reseed("tiny", 3, tmp_path / "out")

    assert not (tmp_path / "out").exists()


def test_the_name_before_a_mail_address_is_replaced(folder: Path) -> None:
    assert add(folder, export(folder, text="from Gerd Hohlbein <gerd@bakers.de>; Hohlbein sends flour")) == 0

    assert "hohlbein" not in written_rows(folder).lower()
