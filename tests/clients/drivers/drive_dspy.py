# Its agents ask for tools by text, which a script of calls cannot play: the driver makes the calls by its tools.
import asyncio

import httpx2
from _by_hand import play
from _given import HEADERS, URL
from dspy import Tool
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client


async def main() -> None:
    async with httpx2.AsyncClient(headers=HEADERS) as http:
        async with streamable_http_client(URL, http_client=http) as streams, ClientSession(*streams[:2]) as session:
            await session.initialize()
            listed = (await session.list_tools()).tools
            tools = {each.name: Tool.from_mcp_tool(session, each) for each in listed}

            async def call(name, arguments):
                return await tools[name].acall(**arguments)

            await play(call, len(tools))


asyncio.run(main())
