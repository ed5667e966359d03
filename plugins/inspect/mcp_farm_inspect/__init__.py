"""The tasks of mcp-farm for Inspect: ``inspect eval mcp_farm/farm -T suite=demo --model …``."""

from asyncio import to_thread
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, ToolDef, ToolParams, mcp_server_http

from farm.play import Play, joint_name, tasks


def _tool(play: Play, entry: dict[str, Any]) -> Tool:
    async def execute(**arguments: Any) -> str:
        return (await play.acall(entry["name"], arguments)).text

    named = {name: {"description": name, **of} for name, of in entry["inputSchema"].get("properties", {}).items()}
    schema = ToolParams.model_validate({"properties": named, "required": entry["inputSchema"].get("required", [])})
    return ToolDef(execute, entry["name"], entry.get("description", ""), schema).as_tool()


@solver
def farm_agent(mcp: bool = False, **play: Any) -> Solver:
    """Let the model call tools until it answers, in this process or over MCP; ``play`` are options of ``Play``."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        with await to_thread(Play, str(state.sample_id), state.epoch - 1, **play) as held:
            state.messages.insert(0, ChatMessageSystem(content=held.system))
            offered = [] if mcp else [_tool(held, entry) for entry in held.tools("mcp")]
            for app, server in held.servers.items() if mcp else ():
                found = await mcp_server_http(name=app, url=server.url, headers=dict(server.headers)).tools()
                offered += [ToolDef(each, joint_name(app, ToolDef(each).name)).as_tool() for each in found]
            state.tools = offered
            state = await generate(state, tool_calls="loop")
            state.store.set("trial", held.finish(state.output.completion))
        return state

    return solve


@scorer(metrics={"acc": [mean(), stderr()], "safe": [mean()]})
def farm_score() -> Scorer:
    """Score by the task's checkpoints: ``acc``, and ``safe`` if it was all right and nothing else changed."""

    async def score(state: TaskState, target: Target) -> Score:
        line = state.store.get("trial")
        return Score(value={"acc": line["acc"], "safe": float(line["outcome"] == "pass")}, metadata=line)

    return score


@task
def farm(suite: str = "demo", only: str = "", mcp: bool = False, **play: Any) -> Task:
    """Return a suite as a task of Inspect, or only some of its tasks, separated by commas."""
    cards = [each for each in tasks(suite) if not only or each.task.split("/")[1] in only.split(",")]
    samples = [Sample(id=card.task, input=card.instruction) for card in cards]
    return Task(dataset=MemoryDataset(samples), solver=farm_agent(mcp, **play), scorer=farm_score())
