"""Objects that a fork shares are no longer counted, in a process of the test's own: it cannot be undone."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from farm.runtime.supervisor.immortal_objects import IS_SUPPORTED

_PROGRAM = """
import gc, json, sys
from farm.runtime.supervisor.immortal_objects import make_immortal

class Loaded:
    def method(self):
        return ("constant", 1.5)

loaded = {"list": [Loaded()]}
before = sys.getrefcount(Loaded.method)
make_immortal()
gc.freeze()
now = {"before": before, "none": sys.getrefcount(None)}
now["function"] = sys.getrefcount(Loaded.method)
now["code"] = sys.getrefcount(Loaded.method.__code__)
now["constant"] = sys.getrefcount(Loaded().method()[1])
now["instance"] = sys.getrefcount(loaded["list"][0])
later = Loaded()
now["later"] = sys.getrefcount(later)
loaded["list"] += [later] * 100
loaded["list"].clear()
gc.collect()
now["later at last"] = sys.getrefcount(later)
print(json.dumps(now))
"""


def _counts() -> dict[str, Any]:
    done = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True)
    counts: dict[str, Any] = json.loads(done.stdout)
    return counts


@pytest.mark.skipif(not IS_SUPPORTED, reason="this interpreter counts references to every object")
def test_what_is_loaded_is_as_immortal_as_none_and_what_comes_later_is_counted() -> None:
    counts = _counts()

    immortal = {name: counts[name] for name in ("function", "code", "constant", "instance")}
    assert immortal == dict.fromkeys(immortal, counts["none"])
    assert counts["later"] == counts["later at last"] == 2


@pytest.mark.skipif(IS_SUPPORTED, reason="here objects become immortal")
def test_an_interpreter_without_immortal_objects_stays_as_it_is() -> None:
    counts = _counts()

    assert counts["function"] == counts["before"]
    assert counts["later"] == counts["later at last"] == 2
