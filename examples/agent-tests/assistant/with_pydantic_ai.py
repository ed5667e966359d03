"""The assistant with pydantic-ai."""

from collections.abc import Sequence
from typing import Any

from pydantic_ai import Agent
from pydantic_ai.toolsets import AbstractToolset
from pydantic_ai.usage import UsageLimits

from assistant import INSTRUCTIONS, MODEL


async def ask(toolsets: Sequence[AbstractToolset[Any]], request: str, *, steps_max: int = 10) -> str:
    """Do what Ada asks and return what there is to say."""
    agent = Agent(f"openai-chat:{MODEL}", instructions=INSTRUCTIONS, toolsets=toolsets)
    told = await agent.run(request, usage_limits=UsageLimits(request_limit=steps_max))
    return told.output
