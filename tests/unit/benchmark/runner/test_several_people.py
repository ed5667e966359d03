"""What another person in an episode does is not the agent's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from farm.benchmark.scoring.evidence import Evidence
from farm.play import card_of
from farm.testing import LocalWorld

TASK = "demo/lark-new-room"


def post(world: LocalWorld, text: str, person: str | None = None) -> None:
    arguments = {"channel_id": "#general", "text": text}
    assert not world.outcome("slack", "slack_post_message", arguments, person).refused


def verdict(world: LocalWorld) -> dict[str, Any]:
    return world.check({"task": TASK, "evidence": True})


def test_a_post_of_somebody_else_is_no_damage_and_no_call_of_the_agent(tmp_path: Path) -> None:
    card = card_of(TASK)
    with LocalWorld(card.world, [*card.apps, "slack"], now=card.now, data=tmp_path) as world:
        before = verdict(world)
        post(world, "from a colleague", "yu.han")

        found = verdict(world)

        assert found["damage"] == []
        assert {key: value for key, value in found.items() if key not in ("calls", "diff")} == {
            key: value for key, value in before.items() if key not in ("calls", "diff")
        }
        assert [each["by"] for each in found["calls"]] == ["yu.han"]
        assert len(found["diff"]["slack"]["messages"]) == 1
        post(world, "from the agent")
        assert [(each["app"], each["table"], each["change"]) for each in verdict(world)["damage"]] == [
            ("slack", "messages", "create")
        ]


def test_reverted_changes_are_the_agents_if_it_made_one_of_the_steps() -> None:
    calls: Any = [{"app": "slack", "call": 1}, {"app": "slack", "call": 2, "by": "ben"}]
    own, mixed, others = ({"steps": [{"op": "update", "call": n} for n in steps]} for steps in ((1,), (1, 2), (2,)))

    found = Evidence({"slack": {"t": [{"call": 2}]}}, calls, reverted={"slack": {"t": [own, mixed, others]}}).of_agent()

    assert (found.diff, found.reverted, found.calls) == ({}, {"slack": {"t": [own, mixed]}}, calls[:1])
