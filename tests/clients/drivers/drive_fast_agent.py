import asyncio
import json
from pathlib import Path

from _given import BASE, CONNECTION, JOB, KEY, MODEL

# JSON is YAML.
CONFIG = {
    "default_model": f"generic.{MODEL}",
    "generic": {"api_key": KEY, "base_url": BASE},
    "logger": {"type": "none", "progress_display": False, "show_chat": False, "show_tools": False},
    "mcp": {"servers": {"lark": {"transport": "http", **CONNECTION}}},
}
Path("fastagent.config.yaml").write_text(json.dumps(CONFIG), "utf-8")

from fast_agent import FastAgent

fast = FastAgent("job", config_path="fastagent.config.yaml", parse_cli_args=False, quiet=True)


@fast.agent(name="assistant", instruction="You help.", servers=["lark"])
async def main() -> None:
    async with fast.run() as agent:
        print(await agent.assistant.send(JOB))


asyncio.run(main())
