from _given import BASE, CONNECTION, JOB, KEY, MODEL
from smolagents import MCPClient, OpenAIServerModel, ToolCallingAgent

with MCPClient({"transport": "streamable-http", **CONNECTION}, structured_output=False) as tools:
    model = OpenAIServerModel(MODEL, api_base=BASE, api_key=KEY)
    print(ToolCallingAgent(tools=tools, model=model, max_steps=12, verbosity_level=0).run(JOB))
