"""Where the time of a call goes: ``python -m tests.bench.profile [read|page|write|refused]``, by cProfile, in process.

A profiler that samples from outside disturbs less; where ``py-spy`` is installed, use it on ``farm serve slack`` under
``python -m tests.bench.client``. This one needs nothing.
"""

from __future__ import annotations

import cProfile
import itertools
import pstats
import sys
import tempfile
from pathlib import Path
from typing import Any

import orjson

from farm.context.template import load_world
from farm.errors import FarmError
from farm.testing import EPISODE, LocalApp
from tests.bench.call_bench import call_bodies
from tests.bench.environment import Stage, slack_facts
from tests.bench.measured_apps import APP, WORLD

_CALLS = 4_000
_LINES = 25


def profile(kind: str) -> pstats.Stats:
    """Return the profile of some thousand calls of one kind on the bench world.

    Raises:
        FarmError: no such kind.
    """
    with Stage() as stage:
        context = stage.episode(stage.data("facts"), APP, "facts")
        bodies = call_bodies(slack_facts(context, load_world(WORLD).protagonist))
    if kind not in bodies:
        raise FarmError(f"no kind of call '{kind}'; have {', '.join(bodies)}")
    asked: list[dict[str, Any]] = [orjson.loads(body)["params"] for body in bodies[kind]]
    with tempfile.TemporaryDirectory() as folder:
        slack = LocalApp(APP, Path(folder), world=WORLD)
        slack.store.open(EPISODE)
        profiler = cProfile.Profile()
        with profiler:
            for call in itertools.islice(itertools.cycle(asked), _CALLS):
                slack.outcome(call["name"], call["arguments"])
        slack.close()
    return pstats.Stats(profiler)


def main() -> None:
    """Print the profile of the kinds named, or of each."""
    for kind in sys.argv[1:] or ["read", "page", "write", "refused"]:
        print(f"\n{kind}: {_CALLS} calls, slowest functions by their own time")  # noqa: T201
        profile(kind).strip_dirs().sort_stats("tottime").print_stats(_LINES)


if __name__ == "__main__":
    main()
