from _given import BASE, HEADERS, JOB, KEY, MODEL, URL
from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.utils import Secret
from haystack_integrations.tools.mcp import MCPToolset, StreamableHttpServerInfo

toolset = MCPToolset(StreamableHttpServerInfo(url=URL, headers=HEADERS))
model = OpenAIChatGenerator(api_key=Secret.from_token(KEY), model=MODEL, api_base_url=BASE)
agent = Agent(chat_generator=model, tools=toolset)
print(agent.run(messages=[ChatMessage.from_user(JOB)])["last_message"].text)
