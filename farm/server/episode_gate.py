"""The access to an episode: bearer, menu, and the short locks of a snapshot."""

from __future__ import annotations

import asyncio
import re

from farm.appkit.app import LATEST
from farm.content import LoadedApp
from farm.context.settings import Settings, is_bearer
from farm.context.store import Store
from farm.errors import NotFoundError, UnauthorizedError
from farm.server.tool_menu import find_menu

HOLD_S_MAX = 10.0
_GATES_MAX = 16_384
_BEARERS_MAX = 8
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


def require_id(episode_id: str) -> str:
    """Return the id if its form is valid, so that no id leads out of its folder.

    Raises:
        NotFoundError: the form is not valid.
    """
    if not _ID.fullmatch(episode_id):
        raise NotFoundError(f"no episode '{episode_id[:128]}'; ids are letters, digits, '.', '_' and '-'")
    return episode_id


class ExpiredError(UnauthorizedError):
    """The bearer was right and has expired."""

    headers = ((b"www-authenticate", b'Bearer error="invalid_token", error_description="The access token expired"'),)


class EpisodeGate:
    """The access to one episode.

    Attributes:
        id: the episode's id.
        menu: names of the tools shown, in the app's order, or None for all.
        profile: the app's profile in this episode.
        tools_key: a key that is equal for equal tool lists: the profile, and the menu as one string.
        token_sha256: hash of the required bearer, or None.
        held: set while calls wait.
        watchers: events of the clients that wait for the next call.
        person: who enters, if it is not the person whom the agent works for; else None.
    """

    __slots__ = (
        "_admitted",
        "_app",
        "_holder_gates",
        "_is_expired",
        "_narrowed",
        "_release_timer",
        "_settings",
        "held",
        "id",
        "menu",
        "person",
        "profile",
        "token_sha256",
        "tools_key",
        "watchers",
    )

    def __init__(self, settings: Settings, app: str | None = None, profile: str = LATEST) -> None:
        """Guard an episode: one app's part of it, with the app's menu and profile, or all of it."""
        self.id = settings.id
        names = None if app is None else settings.menu.get(app)
        self.menu = None if names is None else frozenset(names)
        self.profile = profile
        self.tools_key = profile, None if self.menu is None else "\n".join(sorted(self.menu))
        self.token_sha256 = settings.token_sha256
        self.held: asyncio.Event | None = None
        self.watchers: set[asyncio.Event] = set()
        self._release_timer: asyncio.TimerHandle | None = None
        self._admitted: set[bytes | None] = set()
        self._is_expired = False
        self._narrowed: dict[bytes, NarrowGate] = {}
        self.person: str | None = None
        self._app = app
        # Only an episode of several people needs its settings here.
        self._settings = settings if settings.holders else None
        self._holder_gates: dict[bytes | None, EpisodeGate] = {}

    def narrow(self, loaded: LoadedApp, menu: bytes) -> EpisodeGate:
        """Return this gate for a client with a menu of its own.

        Raises:
            FarmError: the app has no such menu.
        """
        found = self._narrowed.get(menu)
        if found is None:
            names = find_menu(loaded.in_profile(self.profile), menu.decode("latin-1"))
            if len(self._narrowed) >= _BEARERS_MAX:
                self._narrowed.clear()
            found = self._narrowed[menu] = NarrowGate(self, names)
        return found

    def admit(self, authorization: bytes | None) -> EpisodeGate:
        """Check the Authorization header, if the episode has a bearer; return the gate of whoever sent it.

        Raises:
            UnauthorizedError: it is not a bearer of the episode, or its bearer has expired.
            NotFoundError: it is that of a person who does not see this app.
        """
        if self.token_sha256 is None or authorization in self._admitted:
            return self
        if self._settings is not None:
            return self._holder_gates.get(authorization) or self._admit_holder(authorization, self._settings)
        if not is_bearer(authorization, self.token_sha256):
            raise self._unauthorized(authorization)
        if self._is_expired:
            raise ExpiredError("Unauthorized: the access token expired")
        if len(self._admitted) < _BEARERS_MAX:
            self._admitted.add(authorization)
        return self

    def let_in(self, settings: Settings) -> None:
        """Admit the people of these settings from now on, by the bearers that they have there."""
        if settings.token_sha256 != self.token_sha256:
            self.token_sha256 = settings.token_sha256
            for cached in (self._admitted, self._holder_gates, self._narrowed):
                cached.clear()
        self._is_expired = False
        self._settings = settings if settings.holders else None

    def expire(self) -> None:
        """Refuse the bearer from now on, until it is renewed or ``revive`` is called.

        In an episode of several people only the calls that a fault plans are refused.
        """
        if self._settings is None and self.token_sha256 is not None:
            self._is_expired = True
            self._admitted.clear()

    def revive(self) -> None:
        """Accept the bearer again."""
        self._is_expired = False

    def _admit_holder(self, authorization: bytes | None, settings: Settings) -> EpisodeGate:
        """Admit one of several people."""
        hashes = ((person, each.token_sha256) for person, each in settings.holders.items())
        person = next((person for person, token in hashes if token and is_bearer(authorization, token)), None)
        if person is None:
            raise self._unauthorized(authorization)
        holder = settings.holders[person]
        if self._app is not None and self._app not in holder.apps:
            raise NotFoundError(
                f"'{person}' has no account in {self._app}, which episode '{self.id}' has for others; "
                f"'{person}' has {', '.join(holder.apps)}"
            )
        gate = self if person == settings.me else HolderGate(self, person)
        if len(self._holder_gates) < _BEARERS_MAX * len(settings.holders):
            self._holder_gates[authorization] = gate
        return gate

    def _unauthorized(self, authorization: bytes | None) -> UnauthorizedError:
        sent = "none was sent" if authorization is None else "what was sent is another"
        needs = f"episode '{self.id}' needs its token as 'Authorization: Bearer TOKEN', and {sent}"
        way_out = f"in a test it is in world.connection(APP), on a farm 'farm connect --episode {self.id}' prints it"
        return UnauthorizedError(f"{needs}; {way_out}")

    def shows(self, tool: str) -> bool:
        """Return whether the episode's menu has a tool; a tool that is not on it does not exist."""
        return self.menu is None or tool in self.menu

    def hold(self) -> None:
        """Make calls wait, for at most ten seconds; locking again restarts the ten seconds."""
        if self._release_timer:
            self._release_timer.cancel()
        if self.held is None:
            self.held = asyncio.Event()
        self._release_timer = asyncio.get_running_loop().call_later(HOLD_S_MAX, self.release)

    def release(self) -> bool:
        """Unlock the episode; return whether it was still locked."""
        if self._release_timer:
            self._release_timer.cancel()
            self._release_timer = None
        if self.held is None:
            return False
        self.held.set()
        self.held = None
        return True

    async def wait(self) -> None:
        """Wait until the episode is not locked."""
        while self.held is not None:
            await self.held.wait()

    def wake_watchers(self) -> None:
        """Wake all clients that wait for a call."""
        for watcher in self.watchers:
            watcher.set()
        self.watchers.clear()


class _DerivedGate(EpisodeGate):
    """An episode's gate as one of its clients sees it; locks and watchers are those of the episode."""

    __slots__ = ("_gate",)

    def __init__(self, gate: EpisodeGate) -> None:
        self._gate = gate
        self.id, self.profile, self.token_sha256 = gate.id, gate.profile, gate.token_sha256
        self.menu, self.tools_key, self.person = gate.menu, gate.tools_key, gate.person
        self._narrowed = {}

    @property
    def held(self) -> asyncio.Event | None:  # type: ignore[override]
        """Set while calls of the episode wait."""
        return self._gate.held

    @property
    def watchers(self) -> set[asyncio.Event]:  # type: ignore[override]
        """The events of those who wait for the episode's next call."""
        return self._gate.watchers


class NarrowGate(_DerivedGate):
    """The gate of a client with a menu of its own."""

    __slots__ = ()

    def __init__(self, gate: EpisodeGate, names: frozenset[str]) -> None:
        """Show no more than these tools."""
        super().__init__(gate)
        self.menu = names if gate.menu is None else names & gate.menu
        self.tools_key = gate.profile, "\n".join(sorted(self.menu))


class HolderGate(_DerivedGate):
    """The gate of a person who acts in an episode beside the person whom the agent works for."""

    __slots__ = ()

    def __init__(self, gate: EpisodeGate, person: str) -> None:
        """Let a person in, by key."""
        super().__init__(gate)
        self.person = person


class EpisodeGates:
    """The gates of one app's episodes, created at first use."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._loaded = store.loaded
        self.known: dict[str, EpisodeGate] = {}

    def require(self, episode_id: str) -> EpisodeGate:
        """Return the gate of an episode that has this app.

        Raises:
            NotFoundError: there is no such episode.
        """
        return self.known.get(episode_id) or self._make(episode_id)

    def enter(self, episode_id: str, authorization: bytes | None) -> EpisodeGate:
        """Return the gate of an episode to an agent with this Authorization header.

        Raises:
            NotFoundError: there is no such episode.
            UnauthorizedError: it requires another bearer.
        """
        gate = self.known.get(episode_id)
        if gate is None:
            try:
                gate = self._make(episode_id)
            except NotFoundError:
                # Only the episode's bearer may see which apps it has instead.
                EpisodeGate(self._store.settings(require_id(episode_id))).admit(authorization)
                raise
        return gate if gate.token_sha256 is None else gate.admit(authorization)

    def narrow(self, gate: EpisodeGate, menu: bytes) -> EpisodeGate:
        """Return a gate for a client with a menu of its own.

        Raises:
            FarmError: the app has no such menu.
        """
        return gate.narrow(self._loaded, menu)

    def _make(self, episode_id: str) -> EpisodeGate:
        settings = self._store.require(require_id(episode_id))
        if len(self.known) >= _GATES_MAX:
            self._forget_one()
        profile = self._loaded.in_profile(settings.profile).profile
        gate = self.known[episode_id] = EpisodeGate(settings, self._loaded.app.name, profile)
        return gate

    def _forget_one(self) -> None:
        for episode_id, gate in self.known.items():
            if gate.held is None and not gate.watchers:
                del self.known[episode_id]
                return

    def forget(self, episode_id: str) -> None:
        """Close the gate of a dropped episode; waiting calls continue and find it gone."""
        gate = self.known.pop(episode_id, None)
        if gate:
            gate.release()
            gate.wake_watchers()

    def release_all(self) -> None:
        """Unlock all episodes, for a clean shutdown."""
        for gate in self.known.values():
            gate.release()
            gate.wake_watchers()
