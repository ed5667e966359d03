import asyncio
import os

from _given import BASE, CONNECTION, HEADERS, JOB, KEY, MODEL
from agents import Agent, OpenAIResponsesModel, Runner, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp
from openai import AsyncOpenAI

CLOCK = {"url": os.environ["CLOCK_URL"], "headers": HEADERS}


async def main() -> None:
    set_tracing_disabled(True)
    async with MCPServerStreamableHttp(params=CONNECTION) as slack, MCPServerStreamableHttp(params=CLOCK) as clock:
        model = OpenAIResponsesModel(MODEL, AsyncOpenAI(base_url=BASE, api_key=KEY))
        agent = Agent(name="assistant", model=model, mcp_servers=[slack, clock])
        done = await Runner.run(agent, JOB, max_turns=30)
        again = [*done.to_input_list(), {"role": "user", "content": os.environ["NEXT"]}]
        print((await Runner.run(agent, again, max_turns=30)).final_output)


asyncio.run(main())
