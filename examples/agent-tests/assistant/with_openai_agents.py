"""The assistant with the OpenAI Agents SDK."""

from collections.abc import Sequence

from agents import Agent, Runner
from agents.mcp import MCPServer

from assistant import INSTRUCTIONS, MODEL


async def ask(servers: Sequence[MCPServer], request: str, *, steps_max: int = 10) -> str:
    """Do what Ada asks and return what there is to say."""
    agent = Agent(name="assistant", instructions=INSTRUCTIONS, model=MODEL, mcp_servers=list(servers))
    told = await Runner.run(agent, request, max_turns=steps_max)
    return str(told.final_output)
