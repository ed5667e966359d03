"""``farm world write``: batches become prompts, code accepts answers, and a world is rebuilt without its writer."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from farm._util.prompt_writers import KeptOnly, Writer
from farm.appkit.world_spec import WorldError
from farm.cli import main
from farm.world import Spec
from farm.world.writing import read_batches, write_batches
from farm.world.writing.accept import Acceptance
from farm.world.writing.prompt import batch_prompt
from farm.world.writing.session import file_in
from tests.unit.world._mini_copy import copy_mini

BATCHES = """
[[batches]]
key = "chairs"
app = "slack"
file = "talk/chairs.md"
place = "#opening"
days = ["-4", "-2"]
speakers = ["ada", "finn", "gus"]
about = "The chairs are late, and somebody has to wait for the van."
facts = ["opening.at", "opening.place"]
texts = 8

[[batches]]
key = "lunch"
app = "telegram"
file = "talk/lunch.md"
place = "#CHAT"
days = ["-4", "-1"]
speakers = ["ada", "ben"]
about = "Lunch, and a lost scarf."
kind = "noise"
texts = 4
"""
VOICES = """
[[voices]]
person = "gus"
age = 24
trade = "driver"
tongue = "en"
full_stops = "never"
lower_case = "mostly"
one_emoji = "rarely"
habits = ["says ok chief"]
"""
GOOD = """## #opening
- -4 08:~ finn: Who is at the door when the van comes?
- ~ gus: i am, if somebody brings coffee
  - ~ ada: Done.
- ~ gus: with sugar pls
- -4 17:~ ada: We open in {{fact:opening.place}}, {{fact:opening.at weekday_en}} at {{fact:opening.at hour_en}}.
- ~ gus: ok chief
- -3 09:~ finn: The van smells of varnish again
- ~ gus: it is the lid, i will wash it
- -2 12:3~ finn: Nobody sits on the sample chair. It wobbles
"""
LUNCH = """## #{chat}
- -4 12:~ ada: soup again?
- ~ ben: soup, and the end of the rye
- -3 12:~ ada: there is a scarf on the flour sacks
- ~ ben: not mine, too colourful
"""
Answers = Callable[[str, str], str]


class Scripted(Writer):
    """Answers by a function of step and prompt."""

    def __init__(self, answer: Answers, work: Path) -> None:
        super().__init__("scripted", work)
        self._answer_of = answer
        self.steps: list[str] = []

    def _complete(self, step: str, prompt: str) -> str:
        self.steps.append(step)
        return self._answer_of(step, prompt)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("FARM_CONTENT", raising=False)
    chat = next(
        iter(Spec.load("mini").app("telegram").talk(("edited", "pinned", "sticker", "image", "file", "voice"), ()))
    )
    voices = (Spec.load("mini").folders[0] / "voices.toml").is_file()
    assert not voices  # the copy's are its own
    return copy_mini(tmp_path, {"write.toml": BATCHES.replace("#CHAT", f"#{chat}"), "voices.toml": VOICES})


def _run(*words: str) -> int:
    try:
        main(words)
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def chat_of(folder: Path) -> str:
    return read_batches(Spec(folder))[1].chats[0]


def good(folder: Path) -> Answers:
    lunch = LUNCH.replace("{chat}", chat_of(folder))
    return lambda step, prompt: f"Here it is:\n```\n{GOOD if step.startswith('chairs') else lunch}```\n"


def test_accepted_answers_are_files_and_the_world_passes_its_check(folder: Path) -> None:
    writer = Scripted(good(folder), folder / "written")

    results = write_batches(Spec(folder), writer)

    assert [str(each) for each in results] == [
        "chairs: spec/slack/talk/chairs.md written",
        "lunch: spec/telegram/talk/lunch.md written",
    ]
    assert (folder / "spec/slack/talk/chairs.md").read_text("utf-8") == GOOD


def test_a_world_is_rebuilt_to_the_byte_without_its_writer(folder: Path) -> None:
    lines = iter([GOOD.replace("Done.", "Call 138 2244 9071."), GOOD, LUNCH.replace("{chat}", chat_of(folder))])
    write_batches(Spec(folder), Scripted(lambda *_: next(lines), folder / "written"))
    before = {path: path.read_bytes() for path in (folder / "spec").rglob("*") if path.is_file()}
    (folder / "spec/slack/talk/chairs.md").unlink()
    (folder / "spec/telegram/talk/lunch.md").unlink()

    results = write_batches(Spec(folder), KeptOnly("kept", folder / "written"))

    assert all(each.is_done for each in results)
    assert {path: path.read_bytes() for path in (folder / "spec").rglob("*") if path.is_file()} == before


def test_a_refusal_goes_back_with_its_line_at_most_twice_and_then_to_a_person(folder: Path) -> None:
    bad = GOOD.replace("ok chief", "ok chief, at 14:45")
    prompts: list[str] = []

    def answer(step: str, prompt: str) -> str:
        prompts.append(prompt)
        return bad

    writer = Scripted(answer, folder / "written")
    (result,) = write_batches(Spec(folder), writer, ["chairs"])

    assert writer.steps == ["chairs", "chairs-again-1", "chairs-again-2"]
    assert "line 7: '14:45' (clock) belongs to no fact; leave it out" in prompts[1]
    assert prompts[0] in prompts[1]
    assert result.state == "refused"
    assert result.problems[-1].startswith(f"mend {folder}/written/refused/chairs.md and move it to {folder}/spec/slack")
    assert not (folder / "spec/slack/talk/chairs.md").exists()


def test_a_file_that_is_there_is_checked_and_never_overwritten(folder: Path) -> None:
    path = folder / "spec/slack/talk/chairs.md"
    writer = Scripted(good(folder), folder / "written")
    path.write_text(GOOD, "utf-8")
    assert write_batches(Spec(folder), writer, ["chairs"])[0].state == "stands"

    path.write_text(GOOD.replace("finn", "jon"), "utf-8")
    (result,) = write_batches(Spec(folder), writer, ["chairs"])

    assert result.state == "refused"
    assert result.problems[0] == "line 2: jon writes, and only ada, finn, gus may"
    assert writer.steps == []


REFUSED = {
    "a head without a day": (GOOD.replace("- -3 09:~ finn", "- finn"), "line 8: not a message"),
    "an unknown chat": (GOOD.replace("## #opening", "## #nowhere"), "no channel 'nowhere'"),
    "another chat": (GOOD.replace("#opening", "#general"), "line 1: the chat is #general, and the place is #opening"),
    "a fact that is not told": (
        GOOD.replace("{{fact:opening.place}}", "the new shop"),
        "no text tells 'opening.place'",
    ),
    "an unknown fact": (GOOD.replace("opening.place", "opening.plaice"), "line 6: no fact 'opening.plaice'"),
    "a typed value": (GOOD.replace("again\n", "again, 35 l of it\n"), "line 8: '35' (number)"),
    "somebody else": (GOOD.replace("- -3 09:~ finn", "- -3 09:~ jon"), "line 8: jon writes"),
    "another day": (GOOD.replace("- -2 12", "- -1 12"), "line 10: is on day -1; the days are -4 to -2"),
    "a voice": (GOOD.replace("coffee\n", "coffee.\n").replace("wash it\n", "wash it.\n"), "gus has full_stops in 2 of"),
    "round minutes": (
        GOOD.replace("08:~", "08:15").replace("17:~", "17:00").replace("09:~", "09:30"),
        "3 of 3 written minutes are round",
    ),
    "a phrase of its own": (
        GOOD
        + "- ~ finn: The van smells of varnish again and again\n"
        + "- ~ finn: But the van smells of varnish again and again\n",
        "are 8 words in a row that slack/talk/chairs.md:11 has, too",
    ),
    "a phrase of another app": (
        GOOD.replace("Nobody sits on the sample chair. It wobbles", "PHRASE"),
        "words in a row that",
    ),
    "a private value": (GOOD.replace("Done.", "Ring 138 2244 9071."), "'138 2244 9071' looks like a phone number"),
    "too few texts": ("\n".join(GOOD.splitlines()[:6]), "the file has 5 texts, and 8 are asked for"),
    "facts in every text": (
        "\n".join(f"{line} {{{{fact:opening.place}}}}" if ":" in line else line for line in GOOD.splitlines()),
        "0 of 9 texts carry no fact, and a third should",
    ),
    "nothing": ("Sorry, I cannot do that.", "line 1: no '## #channel' heading above this line"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_wrong_is_refused_with_its_line(case: str, folder: Path) -> None:
    text, why = REFUSED[case]
    if case == "a phrase of another app":
        text = text.replace("PHRASE", "Is that the green scarf that hung in the old shop")
        (folder / "spec/telegram/talk/scarf.md").write_text(
            f"## #{chat_of(folder)}\n- -5 10:~ ben: it is the green scarf that hung in the old shop door\n", "utf-8"
        )
    spec = Spec(folder)

    problems = Acceptance(spec).problems(read_batches(spec)[0], file_in(text))

    assert any(why in each for each in problems), problems
    assert all("\n" not in each for each in problems)


def test_a_noise_batch_holds_no_value_at_all(folder: Path) -> None:
    spec = Spec(folder)
    batch, lunch = read_batches(spec)[1], LUNCH.replace("{chat}", chat_of(folder))
    acceptance = Acceptance(spec)

    assert acceptance.problems(batch, lunch) == []
    assert any(
        "is noise" in each for each in acceptance.problems(batch, lunch.replace("soup again", "soup {{noise:12:30}}"))
    )
    assert any(
        "is noise" in each for each in acceptance.problems(batch, lunch.replace("again", "{{fact:opening.place}}"))
    )


def test_an_answer_is_judged_in_less_than_a_second_of_cpu(folder: Path) -> None:
    spec = Spec(folder)
    acceptance, batch = Acceptance(spec), read_batches(spec)[0]
    acceptance.problems(batch, GOOD)
    began = time.process_time()

    assert acceptance.problems(batch, GOOD) == []

    assert time.process_time() - began < 1


def test_a_prompt_names_place_days_voices_facts_with_what_they_render_and_the_form(folder: Path) -> None:
    spec = Spec(folder)
    prompt = batch_prompt(spec, read_batches(spec)[0])

    for part in (
        "App: slack. Place: #opening. File: `talk/chairs.md`.",
        "Days: -4 to -2.",
        "- `gus` (Gus Plum), 24, driver" if "Gus Plum" in prompt else "- `gus` (",
        "a full stop at the end never, no capital at the beginning mostly, only an emoji rarely; says ok chief",
        "`{{fact:opening.at weekday_en}}` Friday",
        "`{{fact:opening.at hour_en}}` ten",
        "## #opening\n- -4 09:~ ada: a message",
        "A third" if "A third" in prompt else "At least a third of the texts carries no fact",
    ):
        assert part in prompt
    assert "hana" not in prompt
    assert "$" not in prompt.replace("US$", "")


def test_a_batch_of_a_table_shows_its_keys_and_takes_toml(folder: Path) -> None:
    entry = (
        BATCHES[BATCHES.index("[[batches]]", 5) :]
        .replace("telegram", "rednote")
        .replace("talk/lunch.md", "comments/lunch.toml")
    )
    (folder / "write.toml").write_text(entry, "utf-8")
    spec = Spec(folder)
    (batch,) = read_batches(spec)

    assert "[[comments]]" in batch_prompt(spec, batch)
    text = '[[comments]]\nkey = "lunch-c1"\npost = "tart"\nauthor = "ada"\nat = "-2 20:~"\ntext = "looks burnt to me"\n'
    assert Acceptance(spec).problems(batch, text) == []
    (problem,) = Acceptance(spec).problems(batch, text.replace('post = "tart"\n', ""))
    assert "lacks 'post'" in problem


PAGE = """+++
title = "Van"
owner = "ada"
created = "-4 10:~"
edited = "-3 11:~"
+++

# Van

It goes to {{fact:opening.place}} first.

Mind the clutch.
"""
SCHEDULED = """## #general
- +0 10:~ ada: hello
- ~ ben: morning all
- +1 08:~ ben: rain
- ~ ada: Take the tarp
"""


def test_a_page_and_a_week_after_the_start_are_batches_too(folder: Path) -> None:
    common = 'days = ["{days}"]\nspeakers = ["ada", "ben"]\nabout = "The van."\ntexts = 4\n'
    page = 'key = "page"\napp = "lark"\nfile = "docs/van.md"\nplace = "a page"\n' + common.format(days='-4", "-2')
    week = 'key = "week"\napp = "slack"\nfile = "scheduled/week.md"\nplace = "#general"\n' + common.format(
        days='+0", "+2'
    )
    (folder / "write.toml").write_text(f"[[batches]]\n{page}[[batches]]\n{week}", "utf-8")
    spec = Spec(folder)
    (of_page, of_week), acceptance = read_batches(spec), Acceptance(spec)

    assert "title = " in batch_prompt(spec, of_page)
    assert acceptance.problems(of_page, PAGE) == []
    assert acceptance.problems(of_page, PAGE.replace("clutch", "clutch at 14:35")) == [
        "line 12: '14:35' (clock) belongs to no fact; leave it out"
    ]
    assert "lacks 'owner', whose it is" in acceptance.problems(of_page, PAGE.replace('owner = "ada"\n', ""))
    assert acceptance.problems(of_week, SCHEDULED) == []
    early = acceptance.problems(of_week, SCHEDULED.replace("+0 10", "+0 07"))
    assert early
    assert all("scheduled/ is from Mon 09:00" in problem for problem in early)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('app = "slack"', 'app = "slak"', "the world has no part of 'slak'; have slack"),
        ('file = "talk/chairs.md"', 'file = "talks/chairs.md"', "slack reads no file 'talks/chairs.md'; have "),
        ('file = "talk/chairs.md"', 'file = "../talk/chairs.md"', "is not below spec/slack/"),
        ('"gus"]', '"guss"]', "no speaker 'guss'; nearest: gus"),
        ('["-4", "-2"]', '["-2", "-4"]', "'days' is the first and the last day"),
        ('["-4", "-2"]', '["-4"]', "'days' is the first and the last day"),
        ('"opening.at",', '"opening.att",', "no fact 'opening.att'; nearest: opening.at"),
        ('"opening.at",', '"opening.at#last",', "'opening.at' has no former or wrong value 'last'; have none"),
        ("texts = 8", "texts = 80", "'texts' is 4 to 24"),
        ('kind = "noise"', 'kind = "nois"', "'kind' is one of story, noise"),
        ('kind = "noise"', 'kind = "noise"\nfacts = ["opening.at"]', "noise tells no fact"),
        ('key = "lunch"', 'key = "Lunch/2"', "the key is part of file names"),
        ('key = "lunch"', 'keys = "lunch"', "no key 'keys'; nearest: key"),
    ],
)
def test_a_mistake_in_write_toml_is_one_line(old: str, new: str, why: str, folder: Path) -> None:
    path = folder / "write.toml"
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")

    with pytest.raises(WorldError, match=r"write\.toml") as refused:
        read_batches(Spec(folder))

    assert why in str(refused.value)


def test_all_mistakes_of_write_toml_are_told_at_once(folder: Path) -> None:
    path = folder / "write.toml"
    text = path.read_text("utf-8").replace("opening.at", "opening.it").replace('"gus"]', '"gos"]')
    path.write_text(text.replace("talk/lunch.md", "talk/chairs.md").replace("telegram", "slack"), "utf-8")

    with pytest.raises(WorldError) as refused:
        read_batches(Spec(folder))

    assert len(str(refused.value).splitlines()) == 3


def test_prompts_wait_as_files_all_at_once_and_answers_are_read_from_files(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, asked = folder.parents[2], tmp_path / "asked"
    shutil.move(folder, folder.with_name("tiny"))
    folder = folder.with_name("tiny")
    command = ("world", "write", "tiny", "--by", f"files:{asked}", "--content", str(content))

    assert _run(*command) == 1
    assert "2 of 2 files wait for an answer" in capsys.readouterr().err
    (asked / "chairs.answer.md").write_text(f"```\n{GOOD}```", "utf-8")
    (asked / "lunch.answer.md").write_text(LUNCH.replace("{chat}", chat_of(folder)), "utf-8")

    assert _run(*command) == 0
    assert "all 2 files stand" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (["--by", "human:me"], "--by human:me: a writer is"),
        (["--by", "none"], "--by none: somebody has to write"),
        (["--by", "kept", "--batches", "dinner"], "no batch 'dinner'; have chairs, lunch"),
        (["--by", "kept"], "has no answer to the prompt chairs"),
    ],
)
def test_a_mistake_in_the_command_is_one_line(
    more: list[str], why: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = folder.parents[2]
    shutil.move(folder, folder.with_name("tiny"))

    assert _run("world", "write", "tiny", "--content", str(content), *more) == 1

    said = capsys.readouterr().err
    assert why in said
    assert said.count("\n") == 1


def test_a_voice_is_measured_by_what_is_said_with_its_facts(folder: Path) -> None:
    spec = Spec(folder)
    (chairs, _), acceptance = read_batches(spec), Acceptance(spec)
    # Pictures without a text, and a fact that begins with a capital, have no small letter at their beginning.
    (folder / "voices.toml").write_text(VOICES.replace('"mostly"', '"never"'), "utf-8")
    text = "## #opening\n" + "".join(
        f"- -4 08:~ gus: {{{{fact:opening.at weekday_en}}}} it is{'?' * each}\n- ~ gus {{image: a van}}:\n"
        for each in range(4)
    )

    problems = Acceptance(Spec(folder)).problems(chairs, text)

    assert not [each for each in problems if "lower_case" in each]
    small = text.replace("{{fact:opening.at weekday_en}} it", "it")
    assert any(
        "gus has lower_case in 4 of 4 messages" in each for each in Acceptance(Spec(folder)).problems(chairs, small)
    )
    assert acceptance is not None


@pytest.mark.parametrize(
    ("app", "flag", "has"),
    [("slack", "{image: …}", True), ("slack", "{sticker: name}", False), ("telegram", "{sticker: name}", True)],
)
def test_a_prompt_lists_the_flags_of_its_app(app: str, flag: str, has: bool, folder: Path) -> None:
    spec = Spec(folder)
    batch = next(each for each in read_batches(spec) if each.app == app)

    assert (flag in batch_prompt(spec, batch)) is has


def test_a_prompt_for_lark_shows_no_reactions(folder: Path) -> None:
    (folder / "write.toml").write_text(
        BATCHES.replace('app = "slack"', 'app = "lark"').replace("#CHAT", "#ben"), "utf-8"
    )
    spec = Spec(folder)

    assert ":eyes:" not in batch_prompt(spec, read_batches(spec)[0])


def test_the_example_of_a_mailbox_is_that_of_somebody_who_has_one(folder: Path) -> None:
    batch = '[[batches]]\nkey = "mail"\napp = "gmail"\nfile = "mail/van.toml"\nplace = "the inbox of ada"\n'
    batch += 'days = ["-4", "-2"]\nspeakers = ["finn", "ada"]\nabout = "The van."\n'
    (folder / "write.toml").write_text(batch, "utf-8")
    spec = Spec(folder)

    assert 'mailbox = "ada"' in batch_prompt(spec, read_batches(spec)[0])
