import asyncio

from _given import BASE, CONNECTION, JOB, KEY, MODEL
from langchain_openai import ChatOpenAI
from mcp_use import MCPAgent, MCPClient


async def main() -> None:
    client = MCPClient.from_dict({"mcpServers": {"lark": CONNECTION}})
    agent = MCPAgent(llm=ChatOpenAI(model=MODEL, base_url=BASE, api_key=KEY), client=client, max_steps=20)
    print(await agent.run(JOB))
    await client.close_all_sessions()


asyncio.run(main())
