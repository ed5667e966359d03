"""Planned faults: which calls fail, in whose words, and that a plan is wherever the call log is."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest

from farm import content
from farm.appkit.faults import KINDS, FaultAnswer, NoFaultAnswer
from farm.context.episode_request import settings_for
from farm.context.fault_rules import answers_of, require_fault
from farm.context.store import Store
from farm.errors import FarmError, NotFoundError
from farm.server.pipeline import Outcome, call
from farm.testing import LocalApp

BURST = {"kind": "rate_limited", "tools": ["slack_post_message"]}
POST = {"channel_id": "#opening", "text": "24 chairs"}


class Farm:
    """One store of Slack, and its episodes by name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = Store(content.load_app("slack"), folder)

    def make(self, name: str, *faults: Mapping[str, Any], seed: int = 0) -> None:
        body = {
            "world": "mini",
            "apps": ["slack"],
            "seed": seed,
            "faults": [{"app": "slack", **each} for each in faults],
        }
        settings = settings_for(body, episode_id=name, world=None, apps=["slack"], token_sha256=None)
        path = self.folder / "episodes" / name
        path.mkdir(parents=True)
        settings.save(path)
        self.store.create(name)

    def copy(self, name: str, target: str) -> None:
        path = self.folder / "episodes" / target
        path.mkdir()
        self.store.settings(name).with_id(target, lambda *_: None).save(path)
        self.store.fork(name, target)

    def call(self, name: str, tool: str = "slack_post_message", arguments: Mapping[str, Any] = POST) -> Outcome:
        return call(self.store.open(name), tool, dict(arguments))

    def reopen(self) -> None:
        self.store.close_all()
        self.store = Store(content.load_app("slack"), self.folder)

    def posted(self, name: str) -> int:
        return len(self.store.diff(name).get("messages", []))


@pytest.fixture
def farm(tmp_path: Path) -> Any:
    made = Farm(tmp_path)
    yield made
    made.store.close_all()


def _text(outcome: Outcome) -> Any:
    return orjson.loads(orjson.loads(outcome.result)["content"][0]["text"])


def test_a_planned_call_is_refused_in_the_vendors_words_and_its_retry_goes_through(farm: Farm) -> None:
    farm.make("e", BURST)

    first, second = farm.call("e"), farm.call("e")

    assert _text(first) == {"ok": False, "error": "ratelimited"}
    assert (first.refused, first.wrote) == (True, False)
    assert _text(second)["ok"] is True
    assert farm.posted("e") == 1
    lines = farm.store.calls("e")
    assert [line.get("fault") for line in lines] == ["rate_limited-1", None]


def test_another_tool_and_another_text_are_calls_of_their_own(farm: Farm) -> None:
    farm.make("e", {**BURST, "where": {"text": {"contains": "CHAIRS"}}})

    assert not farm.call("e", "slack_list_channels", {}).refused
    assert not farm.call("e", arguments={**POST, "text": "hello"}).refused
    assert farm.call("e").refused
    assert farm.call("e", arguments={**POST, "text": "30 chairs"}).refused


def test_a_lost_answer_leaves_what_the_call_wrote(farm: Farm) -> None:
    farm.make("e", {"kind": "lost", "tools": ["writes"]})

    lost = farm.call("e")

    result = orjson.loads(lost.result)
    assert (result["isError"], result["content"][0]["text"]) == (True, "fetch failed")
    assert (lost.refused, lost.wrote) == (True, True)
    assert farm.posted("e") == 1
    assert not farm.call("e").refused
    assert farm.posted("e") == 2


@pytest.mark.parametrize(
    ("where", "falls"),
    [
        ({"text": "24 CHAIRS"}, True),
        ({"text": {"contains_any": ["tables", "chairs"]}}, True),
        ({"text": {"regex": r"^\d+ chairs$"}, "channel_id": {"prefix": "#"}}, True),
        ({"text": {"not_contains": "chairs"}}, False),
        ({"thread_ts": {"null": True}}, True),
    ],
)
def test_where_takes_the_operators_of_tasks(farm: Farm, where: dict[str, Any], falls: bool) -> None:
    farm.make("e", {**BURST, "where": where})

    assert farm.call("e").refused == falls


def test_a_fault_lasts_from_one_simulated_time_until_another(farm: Farm) -> None:
    farm.make("e", {**BURST, "from": "+0 09:30", "until": "+0 10:00"})
    monday = datetime.fromisoformat(farm.store.settings("e").now).replace(hour=9, minute=0, second=0)

    found = []
    for minutes in (0, 30, 45, 60):
        to_ms = int((monday + timedelta(minutes=minutes)).timestamp() * 1000)
        farm.store.set_clock("e", max(to_ms, farm.store.clock_ms("e")))
        found.append(farm.call("e").refused)

    assert found == [False, True, True, False]


def test_a_partial_answer_is_a_true_page_with_a_true_cursor(farm: Farm) -> None:
    farm.make("e", {"kind": "partial", "items_max": 1})
    asked = {"limit": 50}

    page, whole = (_text(farm.call("e", "slack_list_channels", asked)) for _ in range(2))
    cursor = page["response_metadata"]["next_cursor"]
    farm.store.heal_fault("e", "partial-1")
    rest = _text(farm.call("e", "slack_list_channels", {**asked, "cursor": cursor}))

    assert len(page["channels"]) == 1 < len(whole["channels"])
    assert page["channels"] + rest["channels"] == whole["channels"]
    assert whole["response_metadata"]["next_cursor"] == ""


@pytest.mark.parametrize(
    ("kind", "message"), [("unavailable", "Service Unavailable"), ("dropped", "Connection closed")]
)
def test_in_process_a_missing_answer_is_the_error_of_mcps_clients(farm: Farm, kind: str, message: str) -> None:
    farm.make("e", {"kind": kind})

    outcome = farm.call("e")

    assert (outcome.is_protocol_error, orjson.loads(outcome.result)) == (True, {"code": -32000, "message": message})
    assert farm.posted("e") == 0
    assert not farm.call("e").refused


def test_a_context_without_a_plan_uses_the_apps_own_table(farm: Farm) -> None:
    farm.make("plain")
    farm.make("planned", BURST)

    assert farm.store.open("plain").bound is content.load_app("slack").bound
    assert farm.store.open("plain").plan is None
    assert farm.store.open("planned").bound is not content.load_app("slack").bound
    assert farm.store.open("planned").bound.keys() == content.load_app("slack").bound.keys()


def test_the_same_third_call_fails_in_forks_in_restores_and_after_a_killed_process(farm: Farm) -> None:
    farm.make("e", {**BURST, "attempts": [3]})
    farm.call("e")
    farm.store.snapshot("e", "before")
    farm.call("e")
    farm.copy("e", "fork")
    farm.reopen()

    assert farm.call("fork").refused
    assert farm.call("e").refused
    assert not farm.call("e").refused
    farm.store.restore("e", "before")
    assert [farm.call("e").refused for _ in range(3)] == [False, True, False]


def test_a_reset_brings_back_the_tasks_plan_and_forgets_what_was_added(farm: Farm) -> None:
    farm.make("e", BURST)
    farm.store.add_fault("e", {"kind": "token_expired", "tools": ["reads"]})
    assert farm.call("e", "slack_list_channels", {}).refused
    farm.call("e")

    farm.store.reset("e")

    assert not farm.call("e", "slack_list_channels", {}).refused
    assert farm.call("e").refused


def test_a_healed_fault_is_over_in_a_reopened_context_too(farm: Farm) -> None:
    farm.make("e")
    rule = farm.store.add_fault("e", {**BURST, "attempts": [1, 2, 3]})
    assert farm.call("e").refused
    farm.store.heal_fault("e", rule.id)
    assert not farm.call("e").refused

    farm.reopen()

    assert not farm.call("e").refused
    with pytest.raises(NotFoundError, match="have rate_limited-1"):
        farm.store.heal_fault("e", "burst")


def test_shares_and_attempts_give_the_same_fates_in_a_hundred_orders(farm: Farm) -> None:
    texts = [f"chair {number}" for number in range(12)]
    fates = set()
    for number in range(100):
        name = f"e{number}"
        farm.make(name, {**BURST, "share": 0.4}, seed=7)
        order = random.Random(number).sample(texts, len(texts))
        found = {text: farm.call(name, arguments={**POST, "text": text}).refused for text in order}
        fates.add(tuple(found[text] for text in texts))
        farm.store.drop(name)

    assert len(fates) == 1
    assert 0 < sum(next(iter(fates))) < len(texts)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"kind": "melted"}, "no kind of fault 'melted'; slack has rate_limited, token_expired"),
        ({**BURST, "tools": ["slack_send"]}, "no tool 'slack_send' of slack"),
        ({**BURST, "tool": "x"}, "unknown key 'tool' of a fault"),
        ({**BURST, "attempts": [0]}, "'attempts' of a fault must be a list of numbers from 1 on"),
        ({**BURST, "share": 2}, "'share' of a fault must be above 0"),
        ({**BURST, "retry_after": 30}, "'retry_after' of a fault must be a duration"),
        ({**BURST, "where": {"text": {"matches": "x"}}}, "'where' of a fault, 'text': no operator 'matches'"),
        ({**BURST, "where": {"text": {"regex": "("}}}, r"'\('? is no regular expression"),
        ({**BURST, "where": {"text": {"contains": ""}}}, "'contains' of nothing asks for nothing"),
        ({**BURST, "from": "noon"}, r"'from' of a fault must be a time such as .* such as '\+0 09:30', not 'noon'"),
        ({**BURST, "from": "2026-03-09T09:00:00"}, "'from' of a fault needs an offset from UTC"),
        ({**BURST, "from": "+1 09:30", "until": "+0 09:30"}, "'until' of a fault must be after its 'from'"),
        ({**BURST, "delay": "3s"}, "'delay' is of faults of the kind slow, not of rate_limited"),
        ({"kind": "slow", "delay": "20m"}, "'delay' of a fault must be from 1ms to 300s"),
        ({"kind": "partial", "tools": ["slack_post_message"]}, "no tool among slack_post_message takes a size of page"),
    ],
)
def test_a_wrong_rule_is_refused_when_it_is_planned(farm: Farm, rule: dict[str, Any], message: str) -> None:
    with pytest.raises(FarmError, match=message):
        farm.make("e", rule)


@pytest.mark.parametrize("app", content.app_names())
def test_every_wording_says_how_it_is_known_or_why_there_is_none(app: str) -> None:
    answers = answers_of(content.load_app(app))

    assert tuple(answers) == KINDS
    for answer in answers.values():
        match answer:
            case FaultAnswer(known=known, source=source):
                assert known in ("recorded", "documented", "inferred")
                assert source
            case NoFaultAnswer(reason=reason):
                assert reason


@pytest.mark.parametrize("app", content.app_names())
def test_a_kind_without_a_wording_is_refused_in_one_line_that_says_what_there_is(app: str) -> None:
    loaded = content.load_app(app)
    answers = answers_of(loaded)
    worded = [kind for kind, answer in answers.items() if isinstance(answer, FaultAnswer)]

    for kind, answer in answers.items():
        if isinstance(answer, NoFaultAnswer):
            with pytest.raises(FarmError) as refused:
                require_fault(loaded, {"kind": kind})
            told, _, having = str(refused.value).partition("; ")
            assert told == f"{app} has no wording of '{kind}' ({answer.reason})"
            assert having.startswith(f"{app} has ")
            assert {*worded, "unavailable", "slow"} <= {*having.removeprefix(f"{app} has ").split(", ")}
            assert "\n" not in having
        else:
            assert require_fault(loaded, {"kind": kind})["kind"] == kind


def test_the_page_counts_the_wordings_and_names_every_refusal() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "living.md").read_text("utf-8")
    cells = [answer for app in content.app_names() for answer in answers_of(content.load_app(app)).values()]
    known = Counter("refused" if isinstance(each, NoFaultAnswer) else each.known for each in cells)
    counts = ", ".join(f"{known[each]} {each}" for each in ("recorded", "documented", "inferred"))

    assert f"Of {len(cells)} cells" in page
    assert f"{counts}, and {known['refused']} refused with a reason".replace(" recorded", " are recorded") in page


@pytest.mark.parametrize("app", content.app_names())
def test_every_wording_passes_the_apps_own_envelope(app: str, tmp_path: Path) -> None:
    loaded = content.load_app(app)
    with LocalApp(app, tmp_path, world="mini") as local:
        for kind, answer in answers_of(loaded).items():
            if isinstance(answer, FaultAnswer):
                for tool, bound in loaded.bound.items():
                    said, is_protocol_error = bound.renderer.refusal(tool, answer.make(local.episode, tool, 30))

                    assert b"content" in said, (kind, tool)
                    assert not is_protocol_error, (kind, tool)
