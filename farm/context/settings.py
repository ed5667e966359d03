"""``EP/episode.json``: what an episode was created with. Written once by create, read by every app at first open.

Only the bearer of the ``default`` episode changes later: it is asked for where others than this machine reach it.
"""

from __future__ import annotations

import base64
import hmac
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import Any

import orjson

from farm.context.broken import Broken
from farm.context.files import write_new
from farm.errors import FarmError, NotFound

LIVE = "live"
_APP = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
DEFAULT = "default"  # the episode that a farm always has
# Simulated time begins in 1970 and ends with 9998: vendors' forms of time hold no more.
CLOCK_MS_MAX = int(datetime(9999, 1, 1, tzinfo=UTC).timestamp() * 1000) - 1


def bearer(secret: str, episode_id: str) -> str:
    """Return an episode's bearer; made from the farm's secret, so it is stored nowhere and can be told again."""
    digest = hmac.digest(secret.encode(), episode_id.encode(), sha256)
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def bearer_sha256(secret: str, episode_id: str) -> str:
    """Return the hash by which an episode's bearer is known."""
    return sha256(bearer(secret, episode_id).encode()).hexdigest()


def is_bearer(authorization: bytes | None, token_sha256: str) -> bool:
    """Say whether an Authorization header carries the token of this hash; takes as long whatever was given."""
    if authorization is None or authorization[:7].lower() != b"bearer ":
        return False
    return compare_digest(sha256(authorization[7:].strip()).hexdigest(), token_sha256.lower())


def wall_time() -> str:
    """Return this machine's time as files and answers tell it: in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def parse_time(value: Any, name: str) -> datetime:
    """Return an aware datetime of an RFC 3339 text.

    Raises:
        FarmError: it is not one, or has no offset from UTC.
    """
    try:
        parsed = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise FarmError(f"'{name}' must be a time such as 2026-03-09T09:00:00+08:00, not {value!r}") from None
    if parsed.tzinfo is None:
        raise FarmError(f"'{name}' needs an offset from UTC, such as {parsed.isoformat()}+08:00")
    return parsed


@dataclass(frozen=True)
class Settings:
    """The settings of one episode.

    Attributes:
        id: the episode's id, also its folder's name.
        world: world of the contexts, or None for empty ones.
        apps: the apps it has.
        seed: the integer that drives ids.
        now: RFC 3339 time the clock starts at, or ``live``.
        shift_days: whole weeks, in days, by which the world is moved.
        me: key of the person it is played as.
        menu: app → the tools shown; apps not named show all.
        profile: which version of the tool lists.
        token_sha256: hash of the bearer an agent must send; None: none is asked for.
        expires_at: RFC 3339 wall time after which every call is refused, or None.
        calls_max: how many calls it takes over all its apps; what comes after is refused. None: any number.
        label: free text of whoever created it.
        created_at: RFC 3339 wall time.
    """

    id: str
    world: str | None
    apps: tuple[str, ...]
    seed: int = 0
    now: str = LIVE
    shift_days: int = 0
    me: str | None = None
    menu: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    profile: str = "latest"
    token_sha256: str | None = None
    expires_at: str | None = None
    label: str | None = None
    created_at: str | None = None
    calls_max: int | None = None

    @property
    def is_live(self) -> bool:
        """Whether the clock follows wall time."""
        return self.now == LIVE

    @property
    def clock_ms(self) -> int:
        """Milliseconds since 1970 at which the clock starts (0 when live)."""
        return 0 if self.is_live else int(datetime.fromisoformat(self.now).timestamp() * 1000)

    @property
    def expires_s(self) -> float | None:
        """Wall time, in seconds since 1970, after which every call is refused; None: there is none."""
        return None if self.expires_at is None else datetime.fromisoformat(self.expires_at).timestamp()

    def save(self, folder: Path) -> None:
        """Write ``episode.json`` into an existing folder; it must not be there yet."""
        write_new(folder / "episode.json", self._dump())

    def with_bearer_of(self, token_sha256: str | None, folder: Path) -> Settings:
        """Ask for another bearer, or for none, from now on; only while no process serves the episode."""
        changed = replace(self, token_sha256=token_sha256)
        if changed != self:
            temporary = folder / "episode.json.new"
            temporary.unlink(missing_ok=True)
            write_new(temporary, changed._dump())
            temporary.replace(folder / "episode.json")
        return changed

    def _dump(self) -> bytes:
        return orjson.dumps(asdict(self), option=orjson.OPT_INDENT_2) + b"\n"

    def _require_sound(self) -> None:
        """See to it that what is read of these settings later can be read.

        Raises:
            ValueError: it cannot; TypeError as well.
        """
        if type(self.id) is not str or not all(type(app) is str and _APP.fullmatch(app) for app in self.apps):
            raise ValueError("its id or apps are none")
        if type(self.shift_days) is not int or not (self.calls_max is None or type(self.calls_max) is int):
            raise ValueError("its numbers are none")
        for moment in (self.now, self.expires_at):
            if moment not in (None, LIVE) and datetime.fromisoformat(moment).tzinfo is None:
                raise ValueError(f"{moment} has no offset from UTC")

    @staticmethod
    def load(folder: str | Path) -> Settings:
        """Read ``episode.json``.

        Raises:
            NotFound: the folder has none.
            Broken: it is not what was written.
        """
        try:
            descriptor = os.open(f"{folder}/episode.json", os.O_RDONLY)
        except FileNotFoundError:
            raise NotFound(f"no episode '{os.path.basename(folder)}'") from None
        except OSError as problem:
            raise _broken(folder, problem) from problem
        try:
            raw: dict[str, Any] = orjson.loads(os.read(descriptor, os.fstat(descriptor).st_size))
            raw["apps"] = tuple(raw["apps"])
            raw["menu"] = {app: tuple(tools) for app, tools in raw["menu"].items()}
            found = Settings(**raw)
            found._require_sound()
            return found
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as problem:
            raise _broken(folder, problem) from problem
        finally:
            os.close(descriptor)


def _broken(folder: str | Path, problem: Exception) -> Broken:
    return Broken(f"{folder}/episode.json cannot be read ({problem}); put it back from a copy, or drop the episode")
