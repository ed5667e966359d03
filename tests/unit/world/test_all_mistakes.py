"""One run of the check names every mistake: of world.toml, of the facts, and of every app."""

from __future__ import annotations

from pathlib import Path

import pytest

from farm.appkit.world_spec import WorldError
from farm.world import check
from tests.unit.world._mini_copy import copy_mini

# File, text, the text that replaces it, and what is said of the mistake.
MISTAKES = (
    ("world.toml", 'department = "Shop"\nmanager = "ben"', 'department = "Shopp"\nmanager = "benn"', "'Shopp'"),
    ("world.toml", 'key = "cleo"', 'key = "cleo"\nshoe = 4', "world.toml: people 'cleo': no key 'shoe'"),
    ("world.toml", "seed = ", "sed = 4\nseed = ", "world.toml: no key 'sed'; nearest: seed"),
    ("facts/bakery.toml", 'kind = "day"', 'kind = "dai"', "facts/bakery.toml: 'bakery.van_back': no kind 'dai'"),
    ("facts/bakery.toml", 'kind = "span"', 'kind = "span"\nsinse = "-1"', "'bakery.tart_minutes': no key 'sinse'"),
    ("facts/opening.toml", "value = 2400", 'value = "much"', "'opening.furniture': "),
    ("spec/slack/channels.toml", "private = true", 'private = "yes"', "channels 'kitchen': 'private' must be true"),
    ("spec/slack/talk/talk.md", "- -1 18:00 kim:", "- -1 18:00 kimm:", "slack/talk/talk.md:5: no person 'kimm'"),
    ("spec/slack/talk/talk.md", "  - 16:02 hana:", "  - 15:02 hana:", "slack/talk/talk.md:3: this reply is earlier"),
    ("spec/slack/talk/talk.md", "- +0 08:40 jon:", "- +0 10:40 jon:", "slack/talk/talk.md:11: at Mon 10:40"),
    (
        "spec/slack/talk/talk.md",
        "- -1 15:00 ben:",
        "- -1 15:00 eve:",
        "slack/talk/talk.md:9: 'eve' is not in 'opening'",
    ),
    ("spec/slack/talk/talk.md", "Mine, thanks.", "Mine, {{date:+1 enn}}.", "slack/talk/talk.md:6: "),
    ("spec/lark/talk/talk.md", "  - 06:10 cleo", "  - 06:10 cleo {loud}", "lark/talk/talk.md:9: no flag 'loud'"),
    ("spec/lark/talk/talk.md", "{{doc:opening-plan}}", "{{doc:plan}} {{fact:opening.att}}", "no doc 'plan'"),
    ("spec/lark/talk/talk.md", "- -1 12:00 finn: My", "- -1 12:00 finn My", "lark/talk/talk.md:5: not a message"),
    ("spec/rednote/comments.toml", 'post = "tart"', 'post = "tarte"', "no post 'tarte'; nearest: tart"),
    ("spec/rednote/posts.toml", 'author = "plum"', 'author = "plumm"', "'plumm'"),
    ("spec/gmail/labels.toml", "[[filters]]", "[[filter]]", "gmail/labels.toml: no kind of entry 'filter'"),
    ("spec/telegram/talk/talk.md", "  - :+1: ada", "  - :+1: adda", "telegram/talk/talk.md:8: no person 'adda'"),
)


def mistaken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *mistakes: tuple[str, str, str, str]) -> list[str]:
    """Return the lines of a check of mini with these mistakes."""
    folder = copy_mini(tmp_path, {}, "small")
    for file, old, new, _ in mistakes:
        text = (folder / file).read_text("utf-8")
        assert old in text, (file, old)
        (folder / file).write_text(text.replace(old, new, 1), "utf-8")
    world = folder / "world.toml"
    world.write_text(world.read_text("utf-8").replace('name = "mini"', 'name = "small"'), "utf-8")
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path))
    with pytest.raises(WorldError) as refused:
        check("small")
    return str(refused.value).splitlines()


def test_one_run_names_every_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = mistaken(tmp_path, monkeypatch, *MISTAKES)

    assert [said for *_, said in MISTAKES if not any(said in line for line in lines)] == []
    assert len(lines) == len({*lines})
    assert len(lines) <= len(MISTAKES) + 5  # two of them are two mistakes, and a derived fact follows one


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda each: each[3])
def test_a_mistake_alone_is_named_without_what_follows_from_it(
    mistake: tuple[str, str, str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = mistaken(tmp_path, monkeypatch, mistake)

    assert any(mistake[3] in line for line in lines)
    assert len(lines) <= 4, lines
