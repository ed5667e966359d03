"""Plays every task through Inspect, by a model that replays the oracle or does nothing; prints the scores as JSON.

Ten of the tasks are played over MCP as well.
"""

from __future__ import annotations

import json
import tempfile
from typing import Any

from inspect_ai import eval as evaluate
from inspect_ai.model import ChatCompletionChoice, ChatMessageAssistant, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolCall
from mcp_farm_inspect import farm

from farm.play import Play, joint_name, play_oracle, tasks

CARDS = tasks("demo")
USAGE = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # without it Inspect counts with tiktoken's files
PLAYED = {}
for card in CARDS:
    with Play(card.task) as play:
        PLAYED[card.instruction] = play_oracle(play)


def scores(oracle: bool, **options: Any) -> dict[str, float]:
    def answer(input: Any, tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        played = PLAYED[next(message.text for message in input if message.role == "user")]
        at = sum(message.role == "assistant" for message in input)
        turns = (played.turns or ()) if oracle else ()
        if at == len(turns):
            done = ModelOutput.from_content("mock", played.answer if oracle else "")
            done.usage = USAGE
            return done
        calls = [
            ToolCall(
                id=f"{at}-{number}",
                function=joint_name(app, tool),
                arguments=dict(given),
                type="function",
            )
            for number, (app, tool, given) in enumerate(turns[at])
        ]
        message = ChatMessageAssistant(content="", tool_calls=calls)
        choice = ChatCompletionChoice(message=message, stop_reason="tool_calls")
        return ModelOutput(model="mock", choices=[choice], usage=USAGE)

    with tempfile.TemporaryDirectory() as folder:
        model = get_model("mockllm/model", custom_outputs=answer)
        (log,) = evaluate(farm(**options), model=model, log_dir=folder, display="none", max_samples=4)
        assert log.status == "success", log.error
        return {str(sample.id): sample.scores["farm_score"].value["acc"] for sample in log.samples}


found = {"oracle": scores(True), "null": scores(False)}
few = ",".join(card.task.split("/")[1] for card in [each for each in CARDS if len(each.apps) == 1][:10])
over_mcp = scores(True, mcp=True, only=few)
assert len(over_mcp) == 10
assert set(over_mcp.values()) == {1.0}, over_mcp
print(json.dumps(found))
