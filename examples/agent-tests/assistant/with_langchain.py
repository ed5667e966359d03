"""The assistant with LangChain."""

from collections.abc import Sequence

from langchain.agents import create_agent
from langchain_core.tools import BaseTool
from langchain_openai import ChatOpenAI

from assistant import INSTRUCTIONS, MODEL


async def ask(tools: Sequence[BaseTool], request: str, *, steps_max: int = 10) -> str:
    """Do what Ada asks and return what there is to say."""
    agent = create_agent(ChatOpenAI(model=MODEL), tools, system_prompt=INSTRUCTIONS)
    # A step is two for LangGraph: the model's turn and the tools'.
    told = await agent.ainvoke({"messages": [{"role": "user", "content": request}]}, {"recursion_limit": 2 * steps_max})
    return told["messages"][-1].text
