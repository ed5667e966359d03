"""What a run found: said in a line, saved with the request that shows it, made as short as it can be."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from farm.server.http.answer import CANNOT_BE_USED
from farm.server.pipeline import is_crash
from tests.stress.wire import Answer

_TRIES_MAX = 200
# What an answer must never say, beside what the pipeline calls a crash.
_OURS = (CANNOT_BE_USED, "could not be recorded", "did not answer", "Internal server error", "Internal error")


@dataclass(frozen=True)
class Place:
    """Where a request went: ``app`` (an app's own port), ``gateway`` or ``operators``, and to which app."""

    door: str
    app: str = ""


@dataclass(frozen=True)
class Finding:
    """One thing that must not be.

    Attributes:
        kind: ``unhandled``, ``crossed``, ``lost`` or ``frozen``.
        detail: what was seen.
        seed: of the run.
        scene: the scene's number, from which all its requests follow.
        place: where the request went that shows it; None where only the whole scene does.
        request: its bytes as Latin-1, ``{EPISODE}`` and ``{TOKEN}`` in the places of the episode's own.
    """

    kind: str
    detail: str
    seed: int
    scene: int
    place: Place | None = None
    request: str = ""

    @property
    def command(self) -> str:
        """What makes it happen again."""
        return f"python -m tests.stress.fuzz --seed {self.seed} --scene {self.scene}"

    def save(self, folder: Path, number: int) -> Path:
        """Write it to a file of its own."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.kind}-{self.seed}-{self.scene}-{number}.json"
        path.write_text(json.dumps({**asdict(self), "command": self.command}, indent=2) + "\n", "utf-8")
        return path

    @staticmethod
    def load(path: Path) -> Finding:
        """Read one again."""
        raw = json.loads(path.read_text("utf-8"))
        raw.pop("command")
        raw["place"] = Place(**raw["place"]) if raw["place"] else None
        return Finding(**raw)


def is_timeout(error: object) -> bool:
    """Say whether a JSON-RPC error is that of a call that took too long."""
    return isinstance(error, dict) and "was stopped; nothing has changed" in str(error.get("message"))


def unhandled(answer: Answer) -> str | None:
    """Say what shows in an answer that somebody has not handled a request; None when all is well.

    A cut is no such thing by itself: a busy machine may cut any call.
    """
    if answer.status >= 500:
        return f"status {answer.status}: {answer.body[:300]!r}"
    if answer.status not in (200, 202, 204) and not 400 <= answer.status < 500:
        return f"status {answer.status}"
    if b"Traceback" in answer.body and b"most recent call last" in answer.body:
        return f"a traceback: {answer.body[:300]!r}"
    if b'"error"' not in answer.body:
        return None
    body = answer.json
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict) or is_timeout(error):
        return None
    message = str(error.get("message"))
    if is_crash(error.get("code", 0), message) or message.startswith(_OURS):
        return f"error {error.get('code')}: {message[:300]}"
    return None


def shrunk(data: bytes, still_shows: Callable[[bytes], bool]) -> bytes:
    """Return as short a request as still shows what was found, by leaving parts out.

    The body's length is kept right where the request was whole, so that the body can become shorter, too.
    """
    tries = 0
    size = max(1, len(data) // 2)
    while size and tries < _TRIES_MAX:
        for shorter in _without(data, size):
            tries += 1
            if still_shows(shorter):
                data = shorter
                break
            if tries >= _TRIES_MAX:
                break
        else:
            size //= 2
    return data


def _without(data: bytes, size: int) -> Iterator[bytes]:
    head, end, body = data.partition(b"\r\n\r\n")
    length = b"content-length: %d" % len(body)
    for at in range(0, len(body), size):
        rest = body[:at] + body[at + size :]
        yield head.replace(length, b"content-length: %d" % len(rest)) + end + rest
    for at in range(0, len(head), size):
        yield head[:at] + head[at + size :] + end + body
