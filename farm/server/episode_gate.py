"""Who may enter an episode and what they see there: bearer, menu, and the short holds of a barrier."""

from __future__ import annotations

import asyncio
import re

from farm.app import LATEST
from farm.context.settings import Settings, is_bearer
from farm.context.store import Store
from farm.errors import NotFound, Unauthorized

HOLD_S_MAX = 10.0
_GATES_MAX = 16_384
_BEARERS_MAX = 8
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


def require_id(episode_id: str) -> str:
    """Return the id if it has the form of one, so that no id ever leads out of its folder.

    Raises:
        NotFound: it has not.
    """
    if not _ID.fullmatch(episode_id):
        raise NotFound(f"no episode '{episode_id[:128]}'; ids are letters, digits, '.', '_' and '-'")
    return episode_id


class EpisodeGate:
    """One episode as seen from outside.

    Attributes:
        id: the episode's id.
        menu: names of the tools shown, in the app's order, or None for all.
        profile: the profile the app is played in.
        shown: what decides which tools are shown, equal for equal lists: the profile, and the menu as one string.
        token_sha256: hash of the bearer asked for, or None.
        held: set while calls wait.
        watchers: events of those who wait for the next call.
    """

    __slots__ = (
        "_admitted",
        "_holder",
        "held",
        "id",
        "menu",
        "profile",
        "shown",
        "token_sha256",
        "watchers",
    )

    def __init__(self, settings: Settings, app: str | None = None, profile: str = LATEST) -> None:
        """Guard an episode: one app's part of it, with the app's menu and profile, or all of it."""
        self.id = settings.id
        shown = None if app is None else settings.menu.get(app)
        self.menu = None if shown is None else frozenset(shown)
        self.profile = profile
        self.shown = profile, None if self.menu is None else "\n".join(sorted(self.menu))
        self.token_sha256 = settings.token_sha256
        self.held: asyncio.Event | None = None
        self.watchers: set[asyncio.Event] = set()
        self._holder: asyncio.TimerHandle | None = None
        self._admitted: set[bytes | None] = set()

    def require_open(self, authorization: bytes | None) -> None:
        """Let in whoever comes with the episode's bearer, if it has one.

        Raises:
            Unauthorized: it is not the bearer.
        """
        if self.token_sha256 is None or authorization in self._admitted:
            return
        if not is_bearer(authorization, self.token_sha256):
            raise Unauthorized(f"episode '{self.id}' needs its token as 'Authorization: Bearer TOKEN'")
        if len(self._admitted) < _BEARERS_MAX:
            self._admitted.add(authorization)

    def shows(self, tool: str) -> bool:
        """Say whether the episode's menu has a tool; what a menu has not does not exist."""
        return self.menu is None or tool in self.menu

    def hold(self) -> None:
        """Let calls wait from now on, for at most ten seconds; holding again starts the ten seconds anew."""
        if self._holder:
            self._holder.cancel()
        if self.held is None:
            self.held = asyncio.Event()
        self._holder = asyncio.get_running_loop().call_later(HOLD_S_MAX, self.release)

    def release(self) -> bool:
        """Let the waiting calls go on; say whether they were still held."""
        if self._holder:
            self._holder.cancel()
            self._holder = None
        if self.held is None:
            return False
        self.held.set()
        self.held = None
        return True

    async def wait(self) -> None:
        """Wait until nobody holds the episode."""
        while self.held is not None:
            await self.held.wait()

    def tell_watchers(self) -> None:
        """Wake everyone who waits for a call."""
        for watcher in self.watchers:
            watcher.set()
        self.watchers.clear()


class EpisodeGates:
    """The gates of one app's episodes, made when first asked for."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._loaded = store.loaded
        self.known: dict[str, EpisodeGate] = {}

    def require(self, episode_id: str) -> EpisodeGate:
        """Return the gate of an episode that has this app.

        Raises:
            NotFound: there is no such episode.
        """
        return self.known.get(episode_id) or self._make(episode_id)

    def enter(self, episode_id: str, authorization: bytes | None) -> EpisodeGate:
        """Return the gate of an episode to an agent with this Authorization header.

        Raises:
            NotFound: there is no such episode.
            Unauthorized: it needs another bearer.
        """
        gate = self.known.get(episode_id)
        if gate is None:
            try:
                gate = self._make(episode_id)
            except NotFound:
                # What an episode has instead is told to its bearer only.
                EpisodeGate(self._store.settings(require_id(episode_id))).require_open(authorization)
                raise
        if gate.token_sha256 is not None:
            gate.require_open(authorization)
        return gate

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
        """Close the gate of a dropped episode; whoever waits there goes on and finds it gone."""
        gate = self.known.pop(episode_id, None)
        if gate:
            gate.release()
            gate.tell_watchers()

    def release_all(self) -> None:
        """Let everyone go, for a clean end."""
        for gate in self.known.values():
            gate.release()
            gate.tell_watchers()
