import asyncio

from _given import BASE, HEADERS, JOB, KEY, MODEL, URL
from openai import AsyncOpenAI
from semantic_kernel.agents import ChatCompletionAgent
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
from semantic_kernel.connectors.mcp import MCPStreamableHttpPlugin


async def main() -> None:
    model = OpenAIChatCompletion(ai_model_id=MODEL, async_client=AsyncOpenAI(base_url=BASE, api_key=KEY))
    async with MCPStreamableHttpPlugin(name="lark", url=URL, headers=HEADERS, load_prompts=False) as plugin:
        agent = ChatCompletionAgent(service=model, name="assistant", plugins=[plugin])
        print(await agent.get_response(messages=JOB))


asyncio.run(main())
