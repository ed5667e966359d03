"""Clients cannot fill the log with what the server has to say of their requests."""

from __future__ import annotations

import logging

import pytest

from farm.server.limits.log_throttle import EVERY_S, ThrottleFilter
from farm.server.listener import http_server


def record(said: str, level: int = logging.WARNING) -> logging.LogRecord:
    return logging.LogRecord("uvicorn.error", level, __file__, 1, said, (), None)


def test_a_wording_is_told_once_a_minute_with_how_often_it_was_meant() -> None:
    now = 1000.0
    seldom = ThrottleFilter(lambda: now)
    told = []
    for _ in range(500):
        each = record("Invalid HTTP request received.")
        told += [each.getMessage()] if seldom.filter(each) else []
    assert told == ["Invalid HTTP request received."]

    now += EVERY_S
    last = record("Invalid HTTP request received.")

    assert seldom.filter(last)
    assert last.getMessage() == "Invalid HTTP request received. (499 more since this was last said)"


def test_another_wording_and_every_error_is_told() -> None:
    seldom = ThrottleFilter(lambda: 1000.0)
    seldom.filter(record("Invalid HTTP request received."))

    assert seldom.filter(record("Unsupported upgrade request."))
    assert all(seldom.filter(record("Exception in ASGI application\n", logging.ERROR)) for _ in range(3))


def test_whatever_listens_warns_seldom(caplog: pytest.LogCaptureFixture) -> None:
    async def app(*_: object) -> None:
        raise AssertionError("nothing is served here")

    http_server(app)
    for _ in range(200):
        logging.getLogger("uvicorn.error").warning("a wording of this test's")

    assert len(caplog.records) == 1
