"""The process in which generated code runs: it imports the farm, closes its fence, loads the app, answers calls.

It reads one job from stdin, and writes one JSON line a call to what was its stdout; the generated code's
own output goes nowhere.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import sysconfig
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

_STACK_MAX = 1500
# Imported before the fence closes: some of them look at files that cannot be read afterwards.
_NEEDED = (
    *("farm.appkit", "farm.appkit.dialects", "farm.appkit.schema", "farm.context.template", "farm.server.pipeline"),
    *("farm.traverse.fidelity.replay", "jsonschema.validators", "pydantic", "zoneinfo", "zoneinfo._common"),
    *("encodings.idna", "encodings.latin_1", "stringprep", "sqlite3", "difflib", "decimal", "fractions", "uuid"),
    *("statistics", "calendar", "textwrap", "heapq", "html", "posixpath", "fnmatch", "unicodedata", "zlib", "hashlib"),
)


class _LastTraceback(logging.Handler):
    """Keeps the traceback of the last crash."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the traceback of one record."""
        problem = record.exc_info[1] if record.exc_info else None
        if problem is not None:
            own = [each for each in traceback.extract_tb(problem.__traceback__) if "/kernels/" in each.filename]
            place = "".join(f"{Path(each.filename).name}:{each.lineno} {each.line}\n" for each in own[-3:])
            self.text = f"{place}{type(problem).__name__}: {problem}"[-_STACK_MAX:]


def main() -> None:
    """Do the job on stdin."""
    job = json.loads(sys.stdin.buffer.read())
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for each in (0, 1):
        os.dup2(nowhere, each)
    sys.path[:] = [each for each in sys.path if each]
    try:
        _play(job, answers)
    except BaseException as problem:  # whatever generated code raises, SystemExit too, is told in one line
        told = " ".join(str(problem).split())
        _write(answers, {"problem": told or type(problem).__name__})
    answers.flush()
    os._exit(0)


def _play(job: dict[str, Any], answers: Any) -> None:
    for name in _NEEDED:
        import_module(name)
    from farm import content
    from farm.server.pipeline import install_deadline
    from farm.traverse.fidelity.compare import Mask
    from farm.traverse.fidelity.replay import Start, replay_in_process
    from farm.traverse.recordings.calls import read_line
    from farm.traverse.synth.fence import close_fence

    re = import_module("re")
    # The farm's own apps cannot be read here: the only content is the one with the generated app.
    content.use_only(Path(job["content"]))
    masks = [Mask(**{**each, "pattern": re.compile(each["pattern"])}) for each in job["masks"]]
    calls = [read_line(json.dumps(each).encode(), at, Path("calls")) for at, each in enumerate(job["calls"], 1)]
    last = _LastTraceback()
    logger = logging.getLogger("farm")
    logger.addHandler(last)
    logger.propagate = False
    install_deadline()
    close_fence(read=readable(Path(job["content"])), write=Path(job["work"]))
    loaded = content.load_app(job["app"])
    assert loaded.bound
    start = Start(rows=tuple(job["rows"]), me=job["me"])
    data = Path(job["work"]) / "data"
    data.mkdir()
    rows: list[dict[str, Any]] = []

    def dump(store: Any, episode: str) -> None:
        for table in loaded.schema.shapes:
            after: int | None = 0
            while after is not None:
                page = store.rows(episode, table, after=after, limit=1000)
                rows.extend({"table": table, **row} for row in page["rows"])
                after = page["next"]

    for answer in replay_in_process(loaded, calls, start, data, masks=masks, at_end=dump if job["dump"] else None):
        if "crash" in answer and last.text:
            answer = {"crash": f"{answer['crash']}\n{last.text}"}
        last.text = ""
        _write(answers, {"answer": answer})
    if job["dump"]:
        _write(answers, {"rows": rows})


def _write(answers: Any, said: dict[str, Any]) -> None:
    answers.write(json.dumps(said).encode() + b"\n")


def readable(content_folder: Path) -> list[Path]:
    """Return what generated code may read: the interpreter, its libraries, the farm's modules, and its own folder."""
    import farm

    paths = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders = [Path(each) for each in paths if each]
    folders += [Path(farm.__file__).resolve().parent, content_folder]
    system = ("/usr/share/zoneinfo", "/usr/lib", "/lib", "/lib64", "/dev/null", "/dev/urandom")
    return folders + [Path(each) for each in system]


if __name__ == "__main__":
    main()
