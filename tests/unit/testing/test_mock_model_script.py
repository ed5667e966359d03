"""How the script of a model is written, and what is said of one that is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from farm.cli import main
from farm.testing.mock_model import ModelScriptError, load_script, parse_script
from farm.testing.mock_model.script import Call, Turn, Usage

WRITTEN = """
[[turns]]
tool = "list_channels"
arguments = { limit = 100 }
as = "channels"

[[turns]]
when = "opening"
calls = [
    { tool = "post_message", arguments = { channel_id = "{channels.channels[name=opening].id}" } },
    { tool = "add_reaction", offered = false },
]
usage = { input = 100, output = 10 }

[[turns]]
text = "Done."
repeat = true

[[models."says.hello"]]
text = "Hello."
"""


def test_a_file_holds_the_turns_of_any_model_and_of_named_ones(tmp_path: Path) -> None:
    (tmp_path / "script.toml").write_text(WRITTEN)

    script = load_script(tmp_path / "script.toml")

    asks, posts, ends = script.turns
    assert asks == Turn(calls=(Call("list_channels", {"limit": 100}, "channels"),))
    assert [call.tool for call in posts.calls] == ["post_message", "add_reaction"]
    assert [call.offered for call in posts.calls] == [True, False]
    assert (posts.when, posts.usage) == (("opening",), Usage(100, 10))
    assert (ends.text, ends.is_repeated) == ("Done.", True)
    assert script.turns_of("says.hello") == (Turn("Hello."),)
    assert script.turns_of("gpt") == script.turns


def test_json_says_the_same_and_a_list_alone_is_the_turns(tmp_path: Path) -> None:
    turns: list[Any] = [[{"tool": "a"}, {"tool": "b"}], {"tool": "c", "as": "found"}, "Done."]
    (tmp_path / "script.json").write_text(json.dumps(turns))

    script = load_script(tmp_path / "script.json")

    assert [[call.known_as for call in turn.calls] for turn in script.turns] == [["a", "b"], ["found"], []]
    assert script == parse_script({"turns": turns})
    assert parse_script({"models": {"one": ["Hi."]}}).turns_of("two") is None


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("x", "script: a script is a list of turns, or a table with 'turns' or 'models'"),
        ({}, 'script has no turn; begin with [[turns]] and text = "Done."'),
        ([], "script: turns: has no turn; a model says something"),
        ({"turn": ["Hi."]}, "script: turn: unknown key; have turns, models; did you mean 'turns'?"),
        ({"turns": "Hi."}, "script: turns: must be a list of turns, such as [[turns]]"),
        ({"models": ["Hi."]}, "script: models: must be a table of lists of turns, such as [[models.my-test]]"),
        ({"models": {"one": []}}, "script: models.one: has no turn; a model says something"),
        ([1], "script: turns[1]: a turn is a text, a list of calls or a table, not 1"),
        ([["post"]], "script: turns[1].calls: must be a list of tables, not ['post']"),
        (["Hi.", {}], "script: turns[2]: says nothing; give it 'text', 'tool' or 'calls'"),
        (
            [{"txt": "Hi."}],
            "script: turns[1].txt: unknown key; have text, tool, arguments, as, offered, calls, when, repeat, usage; "
            "did you mean 'text'?",
        ),
        ([{"text": 3}], "script: turns[1].text: must be a text, not 3"),
        ([{"tool": "a", "calls": []}], "script: turns[1]: has 'tool' and 'calls'; put every call into 'calls'"),
        (
            [{"text": "Hi.", "arguments": {}}],
            "script: turns[1].arguments: belongs to a call; name its 'tool' beside it, or put it into 'calls'",
        ),
        ([[{"arguments": {}}]], "script: turns[1].calls[1].tool: missing; it is a text"),
        (
            [[{"tool": "a", "args": {}}]],
            "script: turns[1].calls[1].args: unknown key; have tool, arguments, as, offered; did you mean 'as'?",
        ),
        (
            [{"tool": "a", "arguments": [1]}],
            "script: turns[1].arguments: must be a table, or a text that is sent as it is, not [1]",
        ),
        ([{"text": "Hi.", "usage": {"in": 1}}], "script: turns[1].usage.in: unknown key; have input, output, cached"),
        (
            [{"text": "Hi.", "repeat": True}, "Bye."],
            "script: turns[1]: only the last turn can repeat; nothing after it would be said",
        ),
        (
            ["It is {channel.id}."],
            "script: turns[1]: '{channel…}' refers to no call of an earlier turn; there is none",
        ),
        (
            [{"tool": "a", "as": "channels"}, {"tool": "b", "arguments": {"id": ["{channel.id}"]}}],
            "script: turns[2]: '{channel…}' refers to no call of an earlier turn; have channels; "
            "did you mean 'channels'?",
        ),
        # What looks like a piece of a result and would be sent as it stands.
        (
            [{"tool": "listEvents"}, "It is {listEvents[0].id}."],
            "script: turns[2]: '{listEvents…' cannot be referred to, names are lower-case letters, digits and _; "
            "name the call with 'as'",
        ),
        (
            [{"tool": "list"}, {"tool": "get", "arguments": {"id": "{{list[0].id}}"}}],
            "script: turns[2]: '{{list…' has a brace too many; write {list…}",
        ),
        (
            ["See you on {{date:+1 iso}}."],
            "script: turns[1]: '{{date:…' is a date of a task's world; a script stands alone, so write the date itself",
        ),
    ],
)
def test_what_is_wrong_with_a_script_is_said_in_one_line(written: Any, said: str) -> None:
    with pytest.raises(ModelScriptError) as refused:
        parse_script(written)

    assert str(refused.value) == said


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("absent.toml", None, "cannot be read (No such file or directory); name a .toml or .json file"),
        ("script.toml", "[[turns]", "script.toml is not TOML: Expected ']]'"),
        ("script.json", "[", "script.json is not JSON: Expecting value"),
        ("script.yaml", "turns: []", "ends in neither .toml nor .json; it is written in one of them"),
        (
            "script.toml",
            '[[turns]]\ntool = "a"\narguments = { day = 2026-01-14 }',
            "turns[1].arguments: holds what JSON has no form for, such as a date or nan; write it as a text",
        ),
        ("script.toml", "", "script.toml has no turn; begin with [[turns]]"),
    ],
)
def test_the_command_says_what_is_wrong_with_its_file_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str | None, said: str
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)

    with pytest.raises(SystemExit) as end:
        main(["model", "--script", str(tmp_path / name)])

    told = capsys.readouterr().err
    assert end.value.code == 2
    assert said in told
    assert told.count("\n") == 1


def test_the_command_says_what_is_wrong_with_its_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "script.json"
    script.write_text('["Done."]')

    for options, said in [
        ((), "--script is missing"),
        (("--script", str(script), "--port", "70000"), "ports run from 0 to 65535); choose another with --port"),
        (("--script", str(script), "--host", "192.0.2.1"), "'192.0.2.1' is no address of this machine"),
    ]:
        with pytest.raises(SystemExit) as end:
            main(["model", *options])
        assert end.value.code == 2
        assert said in capsys.readouterr().err
