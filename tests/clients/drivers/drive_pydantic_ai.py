import asyncio

from _given import BASE, HEADERS, JOB, KEY, MODEL, URL
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider


async def main() -> None:
    model = OpenAIChatModel(MODEL, provider=OpenAIProvider(base_url=BASE, api_key=KEY))
    done = await Agent(model, toolsets=[MCPToolset(URL, headers=HEADERS)]).run(JOB)
    print(done.output)


asyncio.run(main())
