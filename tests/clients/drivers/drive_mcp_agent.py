import asyncio

from _given import BASE, HEADERS, JOB, KEY, MODEL, URL
from mcp_agent.agents.agent import Agent
from mcp_agent.app import MCPApp
from mcp_agent.config import LoggerSettings, MCPServerSettings, MCPSettings, OpenAISettings, Settings
from mcp_agent.workflows.llm.augmented_llm import RequestParams
from mcp_agent.workflows.llm.augmented_llm_openai import OpenAIAugmentedLLM

SETTINGS = Settings(
    execution_engine="asyncio",
    logger=LoggerSettings(type="none"),
    mcp=MCPSettings(
        servers={"lark": MCPServerSettings(transport="streamable_http", url=URL, headers=HEADERS)},
    ),
    openai=OpenAISettings(api_key=KEY, base_url=BASE, default_model=MODEL),
)


async def main() -> None:
    async with MCPApp(name="job", settings=SETTINGS).run(), Agent(name="assistant", server_names=["lark"]) as agent:
        model = await agent.attach_llm(OpenAIAugmentedLLM)
        print(await model.generate_str(JOB, RequestParams(model=MODEL, max_iterations=20)))


asyncio.run(main())
