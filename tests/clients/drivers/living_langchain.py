import asyncio
import os

from _given import BASE, CONNECTION, HEADERS, JOB, KEY, MODEL
from langchain.agents import create_agent
from langchain_mcp_adapters.callbacks import Callbacks
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_openai import ChatOpenAI
from mcp.types import ElicitResult

CLOCK = {"url": os.environ["CLOCK_URL"], "headers": HEADERS}


async def answer(mcp_context, params, context) -> ElicitResult:
    return ElicitResult(action="accept", content={"answer": os.environ["ANSWER"]})


async def report(progress, total, message, context) -> None:
    print(f"PROGRESS {progress} of {total}")


async def main() -> None:
    callbacks = Callbacks(on_elicitation=answer, on_progress=report) if os.environ["ANSWER"] else None
    servers = {
        "slack": {"transport": "streamable_http", **CONNECTION},
        "clock": {"transport": "streamable_http", **CLOCK},
    }
    client = MultiServerMCPClient(servers, callbacks=callbacks)
    agent = create_agent(ChatOpenAI(model=MODEL, base_url=BASE, api_key=KEY), await client.get_tools())
    done = await agent.ainvoke({"messages": [("user", JOB)]}, {"recursion_limit": 60})
    again = [*done["messages"], ("user", os.environ["NEXT"])]
    done = await agent.ainvoke({"messages": again}, {"recursion_limit": 60})
    print(done["messages"][-1].content)


asyncio.run(main())
