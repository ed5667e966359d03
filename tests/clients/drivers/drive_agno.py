import asyncio

from _given import BASE, CONNECTION, JOB, KEY, MODEL
from agno.agent import Agent
from agno.models.openai import OpenAIChat
from agno.tools.mcp import MCPTools, StreamableHTTPClientParams


async def main() -> None:
    params = StreamableHTTPClientParams(**CONNECTION)
    async with MCPTools(transport="streamable-http", server_params=params) as tools:
        agent = Agent(model=OpenAIChat(id=MODEL, base_url=BASE, api_key=KEY), tools=[tools], telemetry=False)
        print((await agent.arun(JOB)).content)


asyncio.run(main())
