from _given import BASE, CONNECTION, JOB, KEY, MODEL
from crewai import LLM, Agent
from crewai_tools import MCPServerAdapter

with MCPServerAdapter({"transport": "streamable-http", **CONNECTION}) as tools:
    model = LLM(model=f"openai/{MODEL}", base_url=BASE, api_key=KEY)
    agent = Agent(role="Assistant", goal="Help Ada", backstory="You help.", llm=model, tools=tools, max_iter=20)
    print(agent.kickoff(JOB).raw)
