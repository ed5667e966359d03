"""Raises that a writer words: what code plants, multiplies and leaves out, and which words it refuses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from farm._util.prompt_writers import AnswerPendingError, FolderWriter, Writer
from farm.benchmark.generate.harder import Words, draft_of, raised
from farm.benchmark.generate.prove_tasks import audit_drafts
from farm.errors import FarmError
from farm.world.facts import trace_of

pytestmark = pytest.mark.xdist_group("generate-raises")  # what a person finds is explored once

READ = [
    {"calls": [{"app": "slack", "tool": "slack_list_channels", "arguments": {}, "as": "channels"}]},
    {
        "calls": [
            {
                "app": "slack",
                "tool": "slack_get_channel_history",
                "arguments": {"channel_id": "{channels.channels[name=opening].id}"},
                "as": "history",
            }
        ]
    },
    {
        "calls": [
            {
                "app": "slack",
                "tool": "slack_get_thread_replies",
                "arguments": {
                    "channel_id": "{channels.channels[name=opening].id}",
                    "thread_ts": "{history.messages[text~How many chairs].ts}",
                },
            }
        ]
    },
]
CHAIRS: Mapping[str, Any] = {
    "id": "chairs",
    "title": "Tell the number of chairs",
    "world": "mini",
    "apps": ["slack"],
    "category": "slack/search",
    "calls_max": 12,
    "instruction": "How many chairs do we get for the new shop? It stands in #opening on Slack.",
    "unnecessary": ["They are wooden."],
    "oracle_answer": "{{fact:chairs.count}} chairs.",
    "checkpoints": [
        {
            "id": "count",
            "kind": "personal_search",
            "answer": {"claims": [{"fact": "chairs.count", "of": ["chairs", "they"]}]},
            "looked_up": [{"app": "slack", "tool": "slack_get_thread_replies"}],
        }
    ],
    "oracle": READ,
}


class Says(Writer):
    """Gives one answer, and keeps the prompt."""

    def __init__(self, work: Path, said: Any) -> None:
        super().__init__("says", work)
        self._said = said if isinstance(said, str) else json.dumps(said)
        self.prompt = ""

    def _complete(self, step: str, prompt: str) -> str:
        self.prompt = prompt
        return self._said


@pytest.fixture(scope="module")
def universes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("universes")


def no_other(name: str) -> dict[str, Any]:
    raise AssertionError(name)


def put(task: Mapping[str, Any], name: str, said: Any, work: Path, universes: Path | None = None) -> dict[str, Any]:
    """Return a task, raised in the words of an answer."""
    return raised(task, [name], no_other, Words(Says(work, said), trace_of, universes))


def state_of(task: dict[str, Any]) -> tuple[str, str]:
    """Return what the audit makes of a raised task, and why."""
    (draft,) = audit_drafts([draft_of(task, "chairs", ["raised"])], trace_of, parallel=1, on_task=lambda _: None)
    return draft.state, str(draft.history[-1].get("why", ""))


def test_a_later_message_of_the_thread_changes_the_value_and_the_former_one_is_a_near_miss(tmp_path: Path) -> None:
    made = put(CHAIRS, "correction", {"message": "Make it 26 chairs, they had more."}, tmp_path)

    (row,) = made["rows"]
    assert (row["table"], row["values"]["text"]) == ("messages", "Make it 26 chairs, they had more.")
    assert row["values"]["thread_ts"] == "1780239629.000495"
    assert made["oracle_answer"] == "26 chairs."
    (claim,) = made["checkpoints"][0]["answer"]["claims"]
    assert (claim["number"], "fact" in claim) == (26, False)
    assert made["checkpoints"][0]["answer"]["only"]["stale"] == ["{{fact:chairs.count digits}}"]
    assert made["near_misses"][-1]["answer"] == CHAIRS["oracle_answer"]
    assert state_of(made) == ("audited", "")


def test_an_older_message_tells_another_value_and_the_right_one_stays(tmp_path: Path) -> None:
    made = put(CHAIRS, "distractor", {"message": "I think we ordered 26 chairs."}, tmp_path)

    (row,) = made["rows"]
    assert row["values"]["ts"] == "{{s:-1 15:02}}.000100"  # between the question, 15:00, and the answer, 15:04
    assert made["checkpoints"] == CHAIRS["checkpoints"]
    assert made["near_misses"][-1]["answer"] == "26 chairs."
    assert state_of(made) == ("audited", "")


def test_somebody_has_to_be_asked_and_to_be_waited_for(tmp_path: Path, universes: Path) -> None:
    said = {
        "instruction": "How many chairs do we get for the new shop? It stands in #opening on Slack, but ask Gus there "
        "whether that still holds, and go by his answer.",
        "question": "Gus, is the number of chairs still right?",
        "about": ["chairs", "椅子"],
        "message": "They had more, so it is 26 chairs.",
    }

    made = put(CHAIRS, "wait", said, tmp_path, universes)

    (rule,) = made["people"]
    assert rule["then"] == [{"do": "reply", "after": "12m", "text": said["message"]}]
    assert made["apps"] == ["slack", "clock"]
    tools = [call["tool"] for step in made["oracle"] for call in step["calls"]]
    assert tools.index("slack_post_message") < tools.index("wait") < tools.index("slack_get_thread_replies")
    assert [each["id"] for each in made["checkpoints"]] == ["asked-first", "heard", "count"]
    assert state_of(made) == ("audited", "")


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ("Make it a few more.", "the message does not tell 26"),
        ("Make it 26 chairs, not 24 chairs.", "the message tells 24, too"),
        ("Make it 26 tables.", "beside one of: chairs, they"),
        ("椅子是 26 chairs.", "another language"),
        ("26 chairs. Change nothing else.", "a clause for the grader"),
        ("", "no text 'message'"),
    ],
)
def test_a_message_that_does_not_tell_the_other_value_alone_is_refused(
    tmp_path: Path, message: str, problem: str
) -> None:
    with pytest.raises(FarmError, match=problem) as refused:
        put(CHAIRS, "correction", {"message": message}, tmp_path)

    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("changed", "name", "problem"),
    [
        ({"oracle_answer": "Many chairs."}, "correction", "asks for no measured value of a fact"),
        ({"instruction": "Are it 24 chairs?"}, "distractor", "asks for no measured value of a fact"),
        ({"oracle": READ[:1]}, "correction", "no message of somebody else that its oracle reads tells chairs.count"),
        ({"apps": ["slack", "clock"]}, "wait", "waits already"),
        ({}, "quantity", "acts on one row of a list"),
        ({"instruction": "How many chairs do we get?"}, "unnamed", "it names no app"),
    ],
)
def test_what_cannot_be_raised_is_refused_before_a_writer_is_asked(
    tmp_path: Path, universes: Path, changed: Mapping[str, Any], name: str, problem: str
) -> None:
    writer = Says(tmp_path, "never asked")

    with pytest.raises(FarmError, match=problem):
        raised({**CHAIRS, **changed}, [name], no_other, Words(writer, trace_of, universes))

    assert writer.asked == []


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("NOBODY he never counts chairs", "the writer says NOBODY he never counts chairs"),
        ("Sure, here you are.", "the answer is no JSON object"),
    ],
)
def test_a_writer_may_refuse_and_nonsense_is_refused(tmp_path: Path, said: str, problem: str) -> None:
    with pytest.raises(FarmError, match=problem):
        put(CHAIRS, "correction", said, tmp_path)


def test_without_a_writer_the_line_says_how_to_name_one() -> None:
    with pytest.raises(FarmError, match="correction needs words; say who writes them: --by-writer files:DIR"):
        raised(CHAIRS, ["correction"], no_other)


def test_a_folder_waits_for_its_answer_and_the_prompt_names_what_has_changed(tmp_path: Path) -> None:
    words = Words(FolderWriter(tmp_path / "answers", tmp_path / "work"), trace_of)

    with pytest.raises(AnswerPendingError):
        raised(CHAIRS, ["correction"], no_other, words)

    prompt = (tmp_path / "answers" / "chairs-correction.prompt.md").read_text("utf-8")
    assert "it was 24, and it is 26 now" in prompt
    assert "How many chairs did we order?" in prompt
    assert "${" not in prompt


def test_a_refused_answer_is_asked_for_again_with_what_was_wrong(tmp_path: Path) -> None:
    words = Words(FolderWriter(tmp_path / "answers", tmp_path / "work"), trace_of)
    for answer, waits in (("Make it a few more.", "^[^;]*waits"), ("Make it 26 chairs.", "^refused: .*not tell 26; ")):
        with pytest.raises(AnswerPendingError, match=waits):
            raised(CHAIRS, ["correction"], no_other, words)
        (tmp_path / "answers" / "chairs-correction.answer.md").write_text(json.dumps({"message": answer}), "utf-8")

    made = raised(CHAIRS, ["correction"], no_other, words)

    assert made["rows"][0]["values"]["text"] == "Make it 26 chairs."
    again = (tmp_path / "answers" / "chairs-correction.prompt.md").read_text("utf-8")
    assert "That was refused: the message does not tell 26" in again


# -- an app, a person, several rows ------------------------------------------------------------------------------------

GREETING: Mapping[str, Any] = {
    "id": "greeting",
    "title": "Greet everybody",
    "world": "mini",
    "apps": ["slack"],
    "category": "slack/messages",
    "calls_max": 8,
    "instruction": "Ben likes a word on Mondays: say good morning in the general channel on Slack.",
    "lookups": {"room": {"app": "slack", "table": "channels", "where": {"name": "general"}, "column": "id"}},
    "checkpoints": [
        {
            "id": "greeted",
            "kind": "operate",
            "change": "create",
            "app": "slack",
            "table": "messages",
            "where": {"channel_id": "{{room}}", "user_id": {"person": "me"}},
            "after": {"text": {"contains": "good morning"}, "thread_ts": {"null": True}},
        }
    ],
    "oracle": [
        READ[0],
        {
            "calls": [
                {
                    "app": "slack",
                    "tool": "slack_post_message",
                    "arguments": {
                        "channel_id": "{channels.channels[name=general].id}",
                        "text": "Good morning, everybody.",
                    },
                }
            ]
        },
    ],
}


def test_an_app_leaves_the_instruction_where_words_find_a_row_in_it_alone(tmp_path: Path, universes: Path) -> None:
    words = "Ben likes a word on Mondays: say good morning in the general channel."
    writer = Says(tmp_path, "")
    with pytest.raises(FarmError, match="no JSON object"):
        raised(GREETING, ["unnamed"], no_other, Words(writer, trace_of, universes))
    (thing,) = [line.partition(":")[0][2:] for line in writer.prompt.splitlines() if line.startswith("- SLACK-")]
    asked = Words(Says(tmp_path / "2", {"instruction": words, "keeps": {thing: "general"}}), trace_of, universes)

    made = raised(GREETING, ["unnamed"], no_other, asked)

    assert made["instruction"] == words
    assert made["named"] == ["general: Slack"]
    (proof,) = asked.proofs
    assert (proof["prompt"], proof["blanks"][0]["path"]) == ("unnamed-1", ["slack.slack_list_channels"])
    assert state_of(made) == ("audited", "")


@pytest.mark.parametrize(
    ("instruction", "kept", "problem"),
    [
        ("Say good morning in the general channel on Slack.", "general", "still names Slack"),
        ("Say good morning where everybody is.", "everybody", "does not find it, or finds something in another app"),
        ("Say good morning in general.", "opening", "no words of the instruction stand for"),
        ("Say good morning in general, nothing else.", "general", "a clause for the grader"),
    ],
)
def test_words_by_which_the_row_is_not_found_are_refused(
    tmp_path: Path, universes: Path, instruction: str, kept: str, problem: str
) -> None:
    class Anything(dict[str, str]):
        """Keeps the same words for whatever is asked."""

        def get(self, key: str, default: Any = None) -> Any:
            return kept

    from farm.benchmark.generate.raises.scene import Scene
    from farm.benchmark.generate.raises.unnamed import unnamed

    question = unnamed(Scene(dict(GREETING), trace_of, universes))

    with pytest.raises(FarmError, match=problem):
        question.accept({"instruction": instruction, "keeps": Anything()})


def test_a_person_is_described_by_what_only_they_do_and_the_oracle_looks_it_up(tmp_path: Path, universes: Path) -> None:
    said = {
        "instruction": "The owner likes a word on Mondays: say good morning in the general channel on Slack.",
        "words": "The owner",
    }

    made = put(GREETING, "hop", said, tmp_path, universes)

    assert made["named"] == ["The owner: Ben Brook"]
    assert len(made["oracle"]) > len(GREETING["oracle"])
    assert state_of(made) == ("audited", "")
    with pytest.raises(FarmError, match="still names ben"):
        put(GREETING, "hop", {**said, "instruction": "The owner, Ben, likes it."}, tmp_path / "2", universes)


def task_row(number: int, summary: str) -> list[dict[str, Any]]:
    """Return the rows of an open task of Ada's."""
    guid, ada = f"0000000{number}-82eb-4958-a0db-7990a730cf9d", "ou_4a26b09bd687624f96bd6edef8cfc789"
    made = {
        "guid": guid,
        "number": number,
        "creator_id": ada,
        "summary": summary,
        "description": "",
        "due_is_all_day": 0,
    }
    made |= {"created_at": "{{ms:-1 09:00}}", "updated_at": "{{ms:-1 09:00}}"}
    member = {"task_guid": guid, "member_id": ada, "role": "assignee", "position": 0}
    return [
        {"app": "lark", "table": "tasks", "values": made},
        {"app": "lark", "table": "task_members", "values": member},
    ]


def test_one_task_becomes_several_each_with_its_checkpoint(tmp_path: Path) -> None:
    arguments = {
        "path": {"task_guid": "{todo.items[summary=Order flour].guid}"},
        "data": {"task": {"completed_at": "{{ms:+0 09:00}}"}, "update_fields": ["completed_at"]},
    }
    listed = {"params": {"page_size": 100, "completed": False}}
    ticking: dict[str, Any] = {
        "id": "flour",
        "title": "Tick off the flour",
        "world": "mini",
        "apps": ["lark"],
        "category": "lark/tasks",
        "calls_max": 8,
        "instruction": "The flour is ordered: tick that task off.",
        "rows": [*task_row(200001, "Wash the aprons"), *task_row(200002, "Oil the door")],
        "checkpoints": [
            {
                "id": "done",
                "kind": "operate",
                "change": "update",
                "app": "lark",
                "table": "tasks",
                "where": {"summary": "Order flour"},
                "after": {"completed_at": {"min": "{{rfc3339:+0 00:00}}", "max": "{{rfc3339:+0 10:00}}"}},
            }
        ],
        "allow": [{"app": "lark", "table": "task_members", "changes": ["update"]}],
        "oracle": [
            {"calls": [{"app": "lark", "tool": "task_v2_task_list", "arguments": listed, "as": "todo"}]},
            {"calls": [{"app": "lark", "tool": "task_v2_task_patch", "arguments": arguments, "as": "tick"}]},
        ],
    }
    said = {
        "instruction": "The flour is ordered, Print the menu, Wash the aprons and Oil the door are done: tick them off."
    }

    made = put(ticking, "quantity", said, tmp_path)

    assert [each["id"] for each in made["checkpoints"]] == ["done", "done-2", "done-3", "done-4"]
    assert [call["as"] for call in made["oracle"][-1]["calls"]] == ["tick", "tick_2", "tick_3", "tick_4"]
    assert made["near_misses"][0]["drop"] == ["tick_4"]
    assert state_of(made) == ("audited", "")
    with pytest.raises(FarmError, match="does not name 'Oil the door'"):
        put(ticking, "quantity", {"instruction": "Tick off Print the menu and Wash the aprons."}, tmp_path / "2")
