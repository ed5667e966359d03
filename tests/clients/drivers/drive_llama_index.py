import asyncio

from _given import BASE, HEADERS, JOB, KEY, MODEL, URL
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai_like import OpenAILike
from llama_index.tools.mcp import BasicMCPClient, McpToolSpec


async def main() -> None:
    tools = await McpToolSpec(client=BasicMCPClient(URL, headers=HEADERS)).to_tool_list_async()
    model = OpenAILike(
        model=MODEL, api_base=BASE, api_key=KEY, is_chat_model=True, is_function_calling_model=True, max_retries=0
    )
    print(await FunctionAgent(tools=tools, llm=model, streaming=False).run(user_msg=JOB))


asyncio.run(main())
