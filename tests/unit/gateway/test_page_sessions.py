"""A code signs in one browser once; its cookie opens the control API only to the page itself."""

from __future__ import annotations

from typing import Any

import pytest

from farm.errors import ForeignOriginError, UnauthorizedError
from gateway.page.sessions import CODE_S_MAX, SESSION_S_MAX, ReadOnlyError, Sessions, set_cookie, without_bearers

HOST = (b"host", b"127.0.0.1:8701")


class Clock:
    """Seconds that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def signed_in(
    sessions: Sessions,
    *headers: tuple[bytes, bytes],
    method: str = "GET",
    path: str = "/v1/episodes/default/fork",
    read_only: bool = False,
) -> Any:
    secret, _ = sessions.exchange(sessions.make_code(is_read_only=read_only))
    cookie = set_cookie({"headers": [HOST]}, secret).partition(b";")[0]
    return {"method": method, "path": path, "headers": [HOST, (b"cookie", cookie), *headers]}


def test_a_code_works_once() -> None:
    sessions = Sessions()
    code = sessions.make_code(is_read_only=False)

    sessions.exchange(code)

    with pytest.raises(UnauthorizedError, match="farm open"):
        sessions.exchange(code)


def test_a_code_and_a_cookie_end() -> None:
    clock = Clock()
    sessions = Sessions(clock)
    code, scope = sessions.make_code(is_read_only=False), signed_in(sessions)

    clock.now = CODE_S_MAX + 1
    with pytest.raises(UnauthorizedError):
        sessions.exchange(code)
    sessions.require(scope)
    clock.now = SESSION_S_MAX + 1
    with pytest.raises(UnauthorizedError):
        sessions.require(scope)


@pytest.mark.parametrize(
    "header",
    [
        (b"origin", b"http://127.0.0.1:3000"),
        (b"origin", b"null"),
        (b"sec-fetch-site", b"same-site"),
        (b"sec-fetch-site", b"cross-site"),
    ],
)
def test_another_page_of_this_machine_cannot_use_the_cookie(header: tuple[bytes, bytes]) -> None:
    sessions = Sessions()

    with pytest.raises(ForeignOriginError):
        sessions.require(signed_in(sessions, header))


def test_a_change_needs_the_pages_own_header_and_a_page_that_may_change() -> None:
    sessions, own = Sessions(), (b"x-farm-page", b"1")

    sessions.require(signed_in(sessions, own, method="POST"))
    with pytest.raises(ForeignOriginError, match="X-Farm-Page"):
        sessions.require(signed_in(sessions, method="POST"))
    with pytest.raises(ReadOnlyError):
        sessions.require(signed_in(sessions, own, method="POST", read_only=True))
    sessions.require(signed_in(sessions, method="GET", read_only=True))
    sessions.require(signed_in(sessions, own, method="POST", path="/v1/episodes/default/check", read_only=True))


def test_a_browser_is_told_no_bearer_of_an_episode_or_its_holders() -> None:
    episode = {"id": "e", "token": "a", "holders": {"lin.wan": {"token": "b", "apps": ["slack"]}}}

    assert without_bearers({"episodes": [episode]}) == {
        "episodes": [{"id": "e", "holders": {"lin.wan": {"apps": ["slack"]}}}]
    }
    assert without_bearers({"token": "c", "me": "yu.han"}) == {"me": "yu.han"}
    assert without_bearers({"rows": [{"token": "a column of an app"}]}) == {"rows": [{"token": "a column of an app"}]}
