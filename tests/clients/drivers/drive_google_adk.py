import asyncio

from _given import CONNECTION, JOB
from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.adk.tools.mcp_tool.mcp_session_manager import StreamableHTTPConnectionParams
from google.adk.tools.mcp_tool.mcp_toolset import McpToolset
from google.genai import types


async def main() -> None:
    tools = McpToolset(connection_params=StreamableHTTPConnectionParams(**CONNECTION))
    agent = LlmAgent(name="assistant", model="gemini-2.5-flash", tools=[tools])
    runner = InMemoryRunner(agent=agent, app_name="job")
    session = await runner.session_service.create_session(app_name="job", user_id="ada")
    message = types.Content(role="user", parts=[types.Part(text=JOB)])
    async for event in runner.run_async(user_id="ada", session_id=session.id, new_message=message):
        if event.is_final_response() and event.content:
            print(event.content.parts[0].text)
    await tools.close()


asyncio.run(main())
