import asyncio

from _given import BASE, CONNECTION, JOB, KEY, MODEL
from langchain.agents import create_agent
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_openai import ChatOpenAI


async def main() -> None:
    client = MultiServerMCPClient({"lark": {"transport": "streamable_http", **CONNECTION}})
    agent = create_agent(ChatOpenAI(model=MODEL, base_url=BASE, api_key=KEY), await client.get_tools())
    done = await agent.ainvoke({"messages": [("user", JOB)]}, {"recursion_limit": 60})
    print(done["messages"][-1].content)


asyncio.run(main())
