"""Run an app that a model wrote in a fenced process, and get its answers to calls."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from farm.traverse.fidelity.compare import Mask
from farm.traverse.recordings.calls import Recorded
from farm.traverse.synth.fence import require_fence

Answer = dict[str, Any]

WALL_S_MAX = 180.0
_OUTPUT_BYTES_MAX = 256 * 1024 * 1024
_SAID_MAX = 2000
_CHILD = "farm.traverse.synth.boxed"


@dataclass(frozen=True)
class Played:
    """What a boxed app did.

    Attributes:
        answers: one for each call, in the form of ``Recorded.result``; a crash has the end of its traceback.
        problem: why it could not be loaded or ended early, or None.
        rows: its rows after the last call, if they were asked for.
    """

    answers: tuple[Answer, ...]
    problem: str | None = None
    rows: tuple[dict[str, Any], ...] = ()


def play_boxed(
    content_folder: Path,
    app: str,
    calls: Sequence[Recorded],
    *,
    rows: Iterable[Mapping[str, Any]] = (),
    me: str | None = None,
    masks: Sequence[Mask] = (),
    wall_s_max: float = WALL_S_MAX,
    dump: bool = False,
) -> Played:
    """Replay calls on an app in a process of its own, whole traces in order.

    Args:
        content_folder: the folder with the app, and with no other app.
        rows: the start of every trace.
        me: the person who calls.
        dump: whether to return the rows after the last call.

    Raises:
        FarmError: this machine cannot fence a process.
    """
    require_fence()
    with tempfile.TemporaryDirectory(prefix="farm-synth-") as work:
        job = {
            "content": str(content_folder.resolve()),
            "app": app,
            "work": work,
            "rows": list(rows),
            "me": me,
            "dump": dump,
            "masks": [{**asdict(each), "pattern": each.pattern.pattern} for each in masks],
            "calls": [_line(each) for each in calls],
        }
        return _run(job, Path(work), wall_s_max, len(calls))


def _line(call: Recorded) -> dict[str, Any]:
    omitted = {"arguments_omitted": True} if call.request.omits_arguments else {"arguments_omitted": False}
    return {
        "tool": call.tool,
        "arguments": call.request.arguments,
        **omitted,
        "trace": call.trace,
        "step": call.step,
        "at": None if call.at is None else call.at.isoformat(),
        "result": call.result,
    }


def _run(job: Mapping[str, Any], work: Path, wall_s_max: float, count: int) -> Played:
    package = str(Path(__file__).resolve().parents[3])
    environment = {
        "PATH": os.defpath,
        "PYTHONPATH": package,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "HOME": str(work),
        "TMPDIR": str(work),
    }
    command = [sys.executable, "-P", "-m", _CHILD]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=out, stderr=said, env=environment, cwd=work, start_new_session=True
        )
        try:
            process.communicate(json.dumps(job).encode(), timeout=wall_s_max)
            ending = f"status {process.returncode}"
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            ending = f"it took longer than {wall_s_max:.0f} s"
        out.seek(0)
        said.seek(0)
        return _read(out.read(_OUTPUT_BYTES_MAX), said.read()[-_SAID_MAX:].decode(errors="replace"), ending, count)


def _read(raw: bytes, said: str, ending: str, count: int) -> Played:
    answers: list[Answer] = []
    problem = None
    rows: list[dict[str, Any]] = []
    for line in raw.splitlines():
        try:
            each = json.loads(line)
        except ValueError:
            break  # cut off by its end
        if isinstance(each, dict) and set(each) == {"problem"}:
            problem = str(each["problem"])
        elif isinstance(each, dict) and isinstance(each.get("answer"), dict):
            answers.append(each["answer"])
        elif isinstance(each, dict) and isinstance(each.get("rows"), list):
            rows = each["rows"]
    if len(answers) < count and problem is None:
        last = said.strip().splitlines()
        problem = f"the process ended after {len(answers)} of {count} calls ({ending}{': ' + last[-1] if last else ''})"
    missing = count - len(answers)
    answers += [{"crash": problem or "no answer"}] * missing
    return Played(tuple(answers[:count]), problem, tuple(rows))
