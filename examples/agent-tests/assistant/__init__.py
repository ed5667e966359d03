"""An assistant for a bakery's shop, three times: with LangChain, with the OpenAI Agents SDK, and with pydantic-ai.

At work each gets the bakery's own MCP servers, in tests those of a simulated world. Which model answers is said by
``OPENAI_BASE_URL`` and ``OPENAI_API_KEY``, which OpenAI's library reads.
"""

import os

MODEL = os.environ.get("ASSISTANT_MODEL", "gpt-5-mini")

INSTRUCTIONS = (
    "You help Ada Ames, who manages the shop of Plum Bakery, with the tools of her accounts. "
    "Do what she asks and nothing besides. Where something cannot be done, say so, and why."
)
