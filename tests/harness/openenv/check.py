"""Plays every task over OpenEnv's websocket, by the oracle's calls and without any; prints the scores as JSON."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import time
import urllib.request

from mcp_farm_openenv import FarmClient

from farm.play import Play, joint_name, play_oracle, tasks


async def play(url: str) -> dict[str, dict[str, float]]:
    scores: dict[str, dict[str, float]] = {"oracle": {}, "null": {}}
    async with FarmClient(base_url=url) as env:
        for card in tasks("demo"):
            with Play(card.task) as own:
                played, offered = play_oracle(own), {tool["name"] for tool in own.tools("mcp")}
            for agent, turns, answer in (("oracle", played.turns or (), played.answer), ("null", (), "")):
                told = (await env.reset(task=card.task, seed=0)).observation
                assert (told["instruction"], told["system"]) == (card.instruction, card.system)
                assert {tool["name"] for tool in await env.tools()} == offered | {"submit"}
                for app, tool, arguments in (call for turn in turns for call in turn):
                    await env.call(joint_name(app, tool), dict(arguments))
                scores[agent][card.task], _ = await env.submit(answer)
    return scores


def main() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "uvicorn", "mcp_farm_openenv.server:app", "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"{url}/health", timeout=2)
                break
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)
        print(json.dumps(asyncio.run(play(url))))
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
