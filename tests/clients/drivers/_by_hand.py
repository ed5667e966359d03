"""Plays the job's calls one by one, for programs that have no agent."""

import json
import os
import re


def fill(value, results):
    """Return a value with its ``{name.path}`` replaced by pieces of earlier results."""
    if isinstance(value, dict):
        return {key: fill(each, results) for key, each in value.items()}
    if isinstance(value, list):
        return [fill(each, results) for each in value]
    if not isinstance(value, str) or not (found := re.fullmatch(r"\{(\w+)\.([\w.\[\]]+)\}", value)):
        return value
    piece = results[found[1]]
    for part in re.findall(r"\w+", found[2]):
        piece = piece[int(part)] if isinstance(piece, list) else piece[part]
    return piece


async def play(call, tools):
    """Make the calls by an async function of name and arguments that returns the result's text."""
    results = {}
    for turn in json.loads(os.environ["TURNS"]):
        if isinstance(turn, dict) and "tool" in turn:
            told = await call(turn["tool"], fill(turn.get("arguments", {}), results))
            results[turn.get("as", turn["tool"])] = json.loads(told)
    print(json.dumps({"tools": tools}))
