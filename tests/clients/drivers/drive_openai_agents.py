import asyncio

from _given import BASE, CONNECTION, JOB, KEY, MODEL
from agents import Agent, OpenAIResponsesModel, Runner, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp
from openai import AsyncOpenAI


async def main() -> None:
    set_tracing_disabled(True)
    async with MCPServerStreamableHttp(params=CONNECTION) as server:
        model = OpenAIResponsesModel(MODEL, AsyncOpenAI(base_url=BASE, api_key=KEY))
        done = await Runner.run(Agent(name="assistant", model=model, mcp_servers=[server]), JOB, max_turns=30)
        print(done.final_output)


asyncio.run(main())
