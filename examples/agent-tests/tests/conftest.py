"""The assistant of each framework that is installed, as the tests ask it."""

import importlib.util
from collections.abc import Awaitable, Callable, Iterator

import pytest

Ask = Callable[..., Awaitable[str]]


async def langchain(world, request, **options):
    from assistant import with_langchain

    return await with_langchain.ask(await world.langchain_tools(), request, **options)


async def openai_agents(world, request, **options):
    from assistant import with_openai_agents

    async with world.openai_agents_servers() as servers:
        return await with_openai_agents.ask(servers, request, **options)


async def pydantic_ai(world, request, **options):
    from assistant import with_pydantic_ai

    return await with_pydantic_ai.ask(world.pydantic_ai_toolsets(), request, **options)


# Name → the module that tells that it is installed, and how it gets a world's servers.
FRAMEWORKS = {
    "langchain": ("langchain_mcp_adapters", langchain),
    "openai-agents": ("agents", openai_agents),
    "pydantic-ai": ("pydantic_ai", pydantic_ai),
}
INSTALLED = [name for name, (module, _) in FRAMEWORKS.items() if importlib.util.find_spec(module)]


@pytest.fixture(params=INSTALLED)
def assistant(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """``await assistant(world, "What Ada asks")`` lets the assistant do it, and returns what it says."""
    # The OpenAI Agents SDK would send traces of each run to its maker.
    monkeypatch.setenv("OPENAI_AGENTS_DISABLE_TRACING", "1")
    return FRAMEWORKS[request.param][1]


@pytest.fixture
def says(mcp_farm_model, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """``says(turn, turn, …)`` is the model, in place of one that costs money and says something else each time.

    Without it the assistant asks the model of your environment, and the assertions stay what they are.
    """
    models = []

    def script(*turns) -> None:
        models.append(mcp_farm_model(turns))
        for name, value in models[-1].environment.items():
            monkeypatch.setenv(name, value)

    yield script
    for model in models:
        model.assert_finished()
