"""``EP/episode.json``: an episode's settings. Create writes it once; every app reads it at first open.

Three things change later: the bearer of the ``default`` episode, which is required if other machines can reach the
farm; a bearer that is renewed; and the people who act in an episode, to whom further ones may be added.
"""

from __future__ import annotations

import base64
import hmac
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import Any

import orjson

from farm.context.clock import FROZEN, Motion
from farm.context.clock import LIVE as LIVE_MOTION
from farm.context.corrupt_file import CorruptFileError
from farm.context.files import write_new
from farm.errors import FarmError, NotFoundError

LIVE = "live"
_APP = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
DEFAULT = "default"  # the episode that a farm always has
# Simulated time begins in 1970 and ends with 9998: vendors' forms of time hold no more.
CLOCK_MS_MAX = int(datetime(9999, 1, 1, tzinfo=UTC).timestamp() * 1000) - 1


def bearer(secret: str, episode_id: str, person: str | None = None, turn: int = 0) -> str:
    """Return an episode's bearer, or that of a further person in it; derived from the farm's secret, stored nowhere.

    Args:
        turn: how often the bearer was renewed.
    """
    # No episode has these ids: ids have neither a slash nor a number sign.
    source = episode_id if person is None else f"{episode_id}/{person}"
    source += f"#{turn}" if turn else ""
    digest = hmac.digest(secret.encode(), source.encode(), sha256)
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def bearer_sha256(secret: str, episode_id: str, person: str | None = None, turn: int = 0) -> str:
    """Return the stored hash of an episode's bearer, or of that of a further person in it."""
    return sha256(bearer(secret, episode_id, person, turn).encode()).hexdigest()


def is_bearer(authorization: bytes | None, token_sha256: str) -> bool:
    """Return whether an Authorization header carries the token of this hash, in constant time."""
    if authorization is None or authorization[:7].lower() != b"bearer ":
        return False
    return compare_digest(sha256(authorization[7:].strip()).hexdigest(), token_sha256.lower())


def wall_time() -> str:
    """Return this machine's time in the form of files and answers: UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def parse_time(value: Any, name: str) -> datetime:
    """Parse an RFC 3339 text into an aware datetime.

    Raises:
        FarmError: the value is not such a text, or has no offset from UTC.
    """
    try:
        parsed = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise FarmError(f"'{name}' must be a time such as 2026-03-09T09:00:00+08:00, not {value!r}") from None
    if parsed.tzinfo is None:
        raise FarmError(f"'{name}' needs an offset from UTC, such as {parsed.isoformat()}+08:00")
    return parsed


@dataclass(frozen=True)
class Holder:
    """One of several people who act in an episode, each as the holder of accounts of their own.

    Attributes:
        apps: the apps of the episode that they see: those where they have an account, and those without accounts.
        token_sha256: hash of their bearer; None if none is required.
    """

    apps: tuple[str, ...]
    token_sha256: str | None = None


@dataclass(frozen=True)
class Settings:
    """The settings of one episode.

    Attributes:
        id: the episode's id, also its folder's name.
        world: world of the contexts, or None for empty ones.
        apps: the episode's apps.
        seed: the integer from which ids derive.
        now: RFC 3339 time at which the clock starts, or ``live``.
        shift_days: whole weeks, in days, by which the world is shifted.
        me: key of the person whose accounts the agent uses.
        menu: app → the tools shown; apps not named show all.
        profile: the version of the tool lists.
        token_sha256: hash of the bearer that an agent must send; None if none is required.
        token_turn: how often that bearer was renewed.
        expires_at: RFC 3339 wall time after which every call is refused, or None.
        calls_max: the maximum of calls over all apps; further calls are refused. None for no maximum.
        label: free text of the creator.
        created_at: RFC 3339 wall time.
        rows: app → rows of the start in addition to the world's, each with its ``table``.
        faults: checked rules of planned faults, each with its ``app``; a reset brings them back.
        people: checked rules of people who answer; a reset brings them back.
        arrivals: whether scheduled rows arrive although the clock is frozen.
        pace_ms: how much simulated time a call takes on a frozen clock, in milliseconds.
        holders: person → what they see, for everybody who acts in an episode of several, ``me`` first; empty if only
            ``me`` does.
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
    rows: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    faults: tuple[Mapping[str, Any], ...] = ()
    people: tuple[Mapping[str, Any], ...] = ()
    arrivals: bool = False
    pace_ms: int = 0
    token_turn: int = 0
    holders: Mapping[str, Holder] = field(default_factory=dict)

    @property
    def motion(self) -> Motion:
        """How the clock moves at the start."""
        return LIVE_MOTION if self.is_live else FROZEN

    @property
    def has_arrivals(self) -> bool:
        """Whether scheduled rows arrive."""
        return self.arrivals or self.is_live

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
        """Wall time, in seconds since 1970, after which every call is refused, or None."""
        return None if self.expires_at is None else datetime.fromisoformat(self.expires_at).timestamp()

    def save(self, folder: Path) -> None:
        """Write ``episode.json`` into an existing folder; the file must not exist yet."""
        write_new(folder / "episode.json", self._dump())

    def with_bearer_of(self, token_sha256: str | None, folder: Path) -> Settings:
        """Replace or remove the required bearer; only while no process serves the episode."""
        changed = replace(self, token_sha256=token_sha256)
        if changed != self:
            changed.replace_in(folder)
        return changed

    def replace_in(self, folder: Path) -> None:
        """Write ``episode.json`` in place of the one in a folder, whole or not at all."""
        temporary = folder / "episode.json.new"
        temporary.unlink(missing_ok=True)
        write_new(temporary, self._dump())
        temporary.replace(folder / "episode.json")

    def require_holder(self, person: str) -> Holder:
        """Return what a person sees of this episode.

        Raises:
            NotFoundError: the person does not act in it; the message names those who do.
        """
        if person in self.holders:
            return self.holders[person]
        if person == self.me:
            return Holder(self.apps, self.token_sha256)
        have = ", ".join(self.holders) or self.me or "nobody of a world"
        raise NotFoundError(f"'{person}' does not act in episode '{self.id}'; have {have}")

    def with_holder(self, person: str, apps: tuple[str, ...], token_sha256: str | None) -> Settings:
        """Return these settings with a further person; ``me`` keeps all apps seen so far."""
        assert self.me is not None
        first = self.holders or {self.me: Holder(self.apps, self.token_sha256)}
        return replace(self, holders={**first, person: Holder(apps, token_sha256)})

    def with_id(self, episode_id: str, token: Callable[[str, str | None], str | None]) -> Settings:
        """Return these settings for a copy of the episode.

        Args:
            token: returns the hash of the bearer for an episode's id and a further person in it, or None.
        """
        own = token(episode_id, None)
        holders = {
            person: replace(each, token_sha256=own if person == self.me else token(episode_id, person))
            for person, each in self.holders.items()
        }
        return replace(self, id=episode_id, token_sha256=own, token_turn=0, holders=holders)

    def with_new_bearer(self, token_sha256: str) -> Settings:
        """Return these settings with another bearer for the person whom the agent works for."""
        holders = dict(self.holders)
        if self.me in holders:
            holders[self.me] = replace(holders[self.me], token_sha256=token_sha256)
        return replace(self, token_sha256=token_sha256, token_turn=self.token_turn + 1, holders=holders)

    def _dump(self) -> bytes:
        raw = asdict(self)
        for added in ("rows", "faults", "people", "arrivals", "pace_ms", "token_turn", "holders"):
            if not raw[added]:
                del raw[added]
        return orjson.dumps(raw, option=orjson.OPT_INDENT_2) + b"\n"

    def _require_sound(self) -> None:
        """Verify that all values of these settings can be parsed later.

        Raises:
            ValueError: a value cannot be parsed; TypeError as well.
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
            NotFoundError: the folder has no ``episode.json``.
            CorruptFileError: the file is not as it was written.
        """
        try:
            descriptor = os.open(f"{folder}/episode.json", os.O_RDONLY)
        except FileNotFoundError:
            raise NotFoundError(f"no episode '{os.path.basename(folder)}'") from None
        except OSError as problem:
            raise _broken(folder, problem) from problem
        try:
            raw: dict[str, Any] = orjson.loads(os.read(descriptor, os.fstat(descriptor).st_size))
            raw["apps"] = tuple(raw["apps"])
            raw["menu"] = {app: tuple(tools) for app, tools in raw["menu"].items()}
            raw["faults"] = tuple(raw.get("faults", ()))
            raw["people"] = tuple(raw.get("people", ()))
            raw["rows"] = {app: tuple(rows) for app, rows in raw.get("rows", {}).items()}
            raw["holders"] = {
                person: Holder(tuple(each["apps"]), each["token_sha256"])
                for person, each in raw.get("holders", {}).items()
            }
            found = Settings(**raw)
            found._require_sound()
            return found
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as problem:
            raise _broken(folder, problem) from problem
        finally:
            os.close(descriptor)


def _broken(folder: str | Path, problem: Exception) -> CorruptFileError:
    return CorruptFileError(
        f"{folder}/episode.json cannot be read ({problem}); put it back from a copy, or drop the episode"
    )
