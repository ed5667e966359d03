import asyncio

from _given import BASE, CONNECTION, JOB, KEY, MODEL
from camel.agents import ChatAgent
from camel.models import ModelFactory
from camel.toolkits import MCPToolkit
from camel.types import ModelPlatformType
from camel.utils import BaseTokenCounter


class Counter(BaseTokenCounter):
    """Counts letters: the usual one fetches its vocabulary from a host of its vendor."""

    def count_tokens_from_messages(self, messages):
        return sum(len(str(each)) for each in messages) // 4

    def encode(self, text):
        return list(text.encode())

    def decode(self, token_ids):
        return bytes(token_ids).decode()


async def main() -> None:
    model = ModelFactory.create(
        model_platform=ModelPlatformType.OPENAI_COMPATIBLE_MODEL,
        model_type=MODEL,
        url=BASE,
        api_key=KEY,
        token_counter=Counter(),
    )
    config = {"mcpServers": {"lark": {**CONNECTION, "mode": "streamable-http"}}}
    async with MCPToolkit(config_dict=config) as toolkit:
        agent = ChatAgent(model=model, tools=toolkit.get_tools(), token_limit=10_000_000)
        print((await agent.astep(JOB)).msgs[-1].content)


asyncio.run(main())
