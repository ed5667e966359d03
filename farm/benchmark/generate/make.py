"""From a chain to a task: its gold steps are played, and what they changed becomes what the task checks."""

from __future__ import annotations

from typing import Any

from farm import content
from farm._util.json_io import loads
from farm.appkit.envelope import body_of
from farm.benchmark.agents.placeholders import MissingPlaceholderError, fill
from farm.benchmark.agents.scripted import rendered
from farm.benchmark.generate.chains import Chain
from farm.benchmark.generate.derive import Derived, Deriver, UnderivableError
from farm.benchmark.runner.in_process_farm import LocalFarm, LocalSession
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.tasks.facts import ledger_of
from farm.errors import FarmError

# Right ways make more calls than the gold script: a few more reads, or a call that is refused first.
_CALLS_MIN, _CALLS_FACTOR = 15, 3
_SHOWN_MAX = 200


class UnplayableError(FarmError):
    """A chain's gold steps do not play; the message says which call and why."""


def task_of(farm: LocalFarm, chain: Chain, task_id: str) -> dict[str, Any]:
    """Return the content of a task's file.

    Raises:
        UnplayableError: a call is refused, or a reference leads nowhere.
        UnderivableError: what changed cannot be described.
    """
    derived = _derived(farm, chain)
    points = [*derived.checkpoints]
    if chain.claims:
        answer = {"id": "answered", "kind": "personal_search", "answer": dict(chain.claims)}
        points.append(answer | ({"looked_up": list(chain.looked_up)} if chain.looked_up else {}))
    if not points:
        raise UnderivableError("there is nothing to check")
    return {
        "id": task_id,
        "title": f"{chain.family} over {', '.join(chain.apps)}",
        "world": chain.world,
        **({} if load_start(chain.world).world.protagonist == chain.me else {"me": chain.me}),
        "apps": chain.apps,
        "category": f"{'cross' if len(chain.apps) > 1 else chain.apps[0]}/{chain.family}",
        "calls_max": max(_CALLS_MIN, _CALLS_FACTOR * len(chain.calls)),
        "instruction": instruction_of(chain),
        "oracle_answer": chain.answer,
        "lookups": derived.lookups,
        "checkpoints": points,
        "allow": derived.allow,
        "oracle": chain.steps,
        "near_misses": list(chain.near_misses),
    }


def instruction_of(chain: Chain) -> str:
    """Return the prototype with every blank filled by what people call it."""
    return chain.prototype.format(**{each.name: each.label for each in chain.placeholders})


def _derived(farm: LocalFarm, chain: Chain) -> Derived:
    """Play the gold steps, and describe what each act changed."""
    session = farm.create(chain.world, chain.apps, me=chain.me)
    try:
        deriver = Deriver(load_start(chain.world), chain.me)
        results: dict[str, Any] = {}
        for step in chain.reads:
            results |= {call["as"]: _play(session, chain, call, results) for call in step}
        for number, act in enumerate(chain.acts):
            before, app = session.snapshot(f"act{number}"), act.call["app"]
            results[act.call["as"]] = _play(session, chain, act.call, results)
            diff = session.diff(before).get(app, {})
            deriver.add(app, aim_of(app, act.call["tool"]), diff, act.claims)
        return deriver.found
    finally:
        session.close()


def aim_of(app: str, tool: str) -> str:
    """Return the table that a writing tool is for: the first that it declares."""
    return next(each.writes[0] for each in content.load_app(app).app.tools if each.name == tool and each.writes)


def _play(session: LocalSession, chain: Chain, call: Any, results: dict[str, Any]) -> Any:
    ledger = ledger_of(chain.world)

    def render(text: str) -> str:
        return rendered(ledger.render(text, f"the chain {chain.family}"), chain.world)

    try:
        arguments = fill(call["arguments"], results, render)
    except (MissingPlaceholderError, ValueError) as missing:
        raise UnplayableError(f"{call['tool']}: {missing}") from None
    outcome = session.outcome(call["app"], call["tool"], arguments)
    body = body_of(loads(outcome.result))
    if outcome.refused or outcome.is_protocol_error:
        raise UnplayableError(f"{call['tool']} is refused: {str(body)[:_SHOWN_MAX]}")
    return body
