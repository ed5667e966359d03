import asyncio

from _given import BASE, HEADERS, JOB, KEY, MODEL, URL
from agent_framework import Agent, MCPStreamableHTTPTool
from agent_framework.openai import OpenAIChatCompletionClient


async def main() -> None:
    model = OpenAIChatCompletionClient(model=MODEL, base_url=BASE, api_key=KEY)
    tool = MCPStreamableHTTPTool(name="lark", url=URL, header_provider=lambda _: HEADERS, load_prompts=False)
    async with tool, Agent(client=model, tools=[tool]) as agent:
        print(await agent.run(JOB))


asyncio.run(main())
