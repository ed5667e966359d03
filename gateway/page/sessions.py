"""Sign-in to the page: a one-time code, printed by ``farm open``, is exchanged for a browser's cookie.

The operator's token never reaches a browser. Codes and cookies are in memory, so they end with the gateway.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from starlette.types import Scope

from farm.errors import FarmError, ForeignOriginError, UnauthorizedError
from farm.server.http.asgi import header

CODE_S_MAX = 60.0
SESSION_S_MAX = 12 * 3600.0
# Browsers send it only from the page's own scripts: a form or image of another page cannot set it.
PAGE_HEADER = b"x-farm-page"
WANTED = "the control API needs the operator token as 'Authorization: Bearer TOKEN'"
_MANY = 1000
_READS = ("GET", "HEAD")
_JUDGES = re.compile(r"/v1/episodes/[^/]+/check")  # it changes nothing, though it is a POST
_OWN_SITE = (b"same-origin", b"none")


class ReadOnlyError(FarmError):
    """The page was opened for reading only."""

    status = 403
    code = "read_only"


@dataclass(frozen=True)
class Session:
    """A signed-in browser.

    Attributes:
        is_read_only: whether it may change nothing.
        ends_at: when it ends, on the monotonic clock.
    """

    is_read_only: bool
    ends_at: float


class Sessions:
    """The codes that can be exchanged, and the browsers that are signed in."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        """Read the time in seconds by ``now``."""
        self._now = now
        self._codes: dict[str, Session] = {}
        self._sessions: dict[str, Session] = {}

    def make_code(self, *, is_read_only: bool) -> str:
        """Return a code that signs in one browser within ``CODE_S_MAX``."""
        return self._put(self._codes, Session(is_read_only, self._now() + CODE_S_MAX))

    def exchange(self, code: str) -> tuple[str, Session]:
        """Return a new session and its secret; the code is used up.

        Raises:
            UnauthorizedError: the code is unknown, used or too old.
        """
        found = self._codes.pop(_hash(code), None)
        if found is None or found.ends_at < self._now():
            raise UnauthorizedError("this code is used or older than a minute; run 'farm open' for another")
        made = Session(found.is_read_only, self._now() + SESSION_S_MAX)
        return self._put(self._sessions, made), made

    def _put(self, known: dict[str, Session], made: Session) -> str:
        secret, now = secrets.token_urlsafe(32), self._now()
        for key in [key for key, each in known.items() if each.ends_at < now]:
            del known[key]
        while len(known) >= _MANY:
            del known[next(iter(known))]
        known[_hash(secret)] = made
        return secret

    def require(self, scope: Scope) -> Session:
        """Return the session of a request's cookie, after checking that the page itself sent the request.

        Raises:
            UnauthorizedError: no cookie of a session.
            ForeignOriginError: another page sent it; the port counts, too, which cookies ignore.
            ReadOnlyError: it would change something, in a session for reading only.
        """
        found = self._sessions.get(_hash(cookie_of(scope)))
        if found is None or found.ends_at < self._now():
            raise UnauthorizedError(WANTED)
        require_own_page(scope)
        if scope["method"] not in _READS:
            if header(scope, PAGE_HEADER) is None:
                raise ForeignOriginError("a change needs the header X-Farm-Page, which only the page itself sends")
            if found.is_read_only and not _JUDGES.fullmatch(scope["path"]):
                raise ReadOnlyError("this page is for reading only; open another without --read-only")
        return found


def require_own_page(scope: Scope) -> None:
    """Require that a browser's request comes from a page of this very host and port.

    Raises:
        ForeignOriginError: it comes from another one.
    """
    site, origin = header(scope, b"sec-fetch-site"), header(scope, b"origin")
    host = header(scope, b"host") or b""
    if (site is not None and site not in _OWN_SITE) or (origin is not None and origin.partition(b"://")[2] != host):
        raise ForeignOriginError("another page sent this; only the farm's own page may use its sign-in")


def cookie_name(scope: Scope) -> str:
    """Return the name of the cookie: browsers share cookies between ports, and two farms may share a host."""
    port = re.search(rb":([0-9]{1,5})\Z", header(scope, b"host") or b"")
    return f"farm_page_{port[1].decode() if port else 'own'}"


def cookie_of(scope: Scope) -> str:
    """Return the value of the page's cookie, or an empty text."""
    wanted = cookie_name(scope)
    for each in (header(scope, b"cookie") or b"").decode("latin-1").split(";"):
        name, _, value = each.strip().partition("=")
        if name == wanted:
            return value
    return ""


def set_cookie(scope: Scope, secret: str) -> bytes:
    """Return the header's value that hands a browser its cookie."""
    proto = (header(scope, b"x-forwarded-proto") or b"").partition(b",")[0].strip()
    secure = "; Secure" if proto == b"https" else ""
    age = int(SESSION_S_MAX)
    return f"{cookie_name(scope)}={secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age={age}{secure}".encode()


def without_bearers(answer: Any) -> Any:
    """Return an answer of the control API without the bearers of episodes and their holders: no browser needs any."""
    if not isinstance(answer, dict):
        return answer
    shown = {name: value for name, value in answer.items() if name != "token"}
    if isinstance(answer.get("holders"), dict):
        shown["holders"] = {who: without_bearers(each) for who, each in answer["holders"].items()}
    if isinstance(answer.get("episodes"), list):
        shown["episodes"] = [without_bearers(each) for each in answer["episodes"]]
    return shown


def _hash(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
