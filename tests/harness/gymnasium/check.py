"""Plays every task through Gymnasium, by the oracle's calls and without any; prints the scores as one JSON line."""

from __future__ import annotations

import json
import warnings

import gymnasium
import mcp_farm_gymnasium  # noqa: F401 (registers the environment)
from gymnasium.utils.env_checker import check_env

from farm.play import Play, joint_name, play_oracle, tasks

warnings.simplefilter("error")
env = gymnasium.make("mcp-farm/Task-v0")
check_env(gymnasium.make("mcp-farm/Task-v0", task="slack-boards-rate").unwrapped, skip_render_check=True)
scores: dict[str, dict[str, float]] = {"oracle": {}, "null": {}}
for card in tasks("demo"):
    with Play(card.task) as play:
        played = play_oracle(play)
    for agent, turns, answer in (("oracle", played.turns or (), played.answer), ("null", (), "")):
        instruction, info = env.reset(seed=0, options={"task": card.task})
        assert (instruction, info["system"]) == (card.instruction, card.system)
        for app, tool, arguments in (call for turn in turns for call in turn):
            env.step(json.dumps({"tool": joint_name(app, tool), "arguments": arguments}))
        _, reward, done, _, _ = env.step(json.dumps({"answer": answer}))
        assert done
        scores[agent][card.task] = reward
print(json.dumps(scores))
