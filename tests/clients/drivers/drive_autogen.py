import asyncio

from _given import BASE, CONNECTION, JOB, KEY, MODEL
from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient
from autogen_ext.tools.mcp import McpWorkbench, StreamableHttpServerParams


async def main() -> None:
    async with McpWorkbench(StreamableHttpServerParams(**CONNECTION)) as workbench:
        model = OpenAIChatCompletionClient(model=MODEL, base_url=BASE, api_key=KEY)
        agent = AssistantAgent("assistant", model_client=model, workbench=workbench, max_tool_iterations=20)
        print((await agent.run(task=JOB)).messages[-1].content)


asyncio.run(main())
