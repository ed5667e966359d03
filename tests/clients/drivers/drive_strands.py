from _given import BASE, HEADERS, JOB, KEY, MODEL, URL
from strands import Agent
from strands.models.openai import OpenAIModel
from strands.tools.mcp import MCPClient

try:
    from mcp.client.streamable_http import streamablehttp_client

    client = MCPClient(lambda: streamablehttp_client(URL, headers=HEADERS))
except ImportError:  # mcp 2
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    client = MCPClient(lambda: streamable_http_client(URL, http_client=httpx2.AsyncClient(headers=HEADERS)))

with client:
    model = OpenAIModel(client_args={"base_url": BASE, "api_key": KEY}, model_id=MODEL)
    print(Agent(model=model, tools=client.list_tools_sync(), callback_handler=None)(JOB))
