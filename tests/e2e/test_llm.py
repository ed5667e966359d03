"""What an endpoint may do to an ``llm:`` agent, and whose failure it is."""

from __future__ import annotations

import gzip
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from farm.benchmark.agents import llm
from farm.benchmark.agents.base import Assignment, InfrastructureError, Result, TrialLimits
from farm.benchmark.agents.llm import Llm, retry_after_s
from farm.benchmark.scoring.metrics import outcome_of

from .test_agents import TASK, NoEpisode

pytestmark = pytest.mark.e2e

NOW = datetime(2026, 3, 9, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Says:
    """One answer of an endpoint."""

    status: int = 200
    text: str = "done"
    finish_reason: str = "stop"
    error: dict[str, Any] | None = None
    headers: dict[str, str] = field(default_factory=dict)
    after_s: float = 0.0
    raw: bytes = b""
    calls: tuple[str, ...] = ()

    def body(self) -> bytes:
        if self.raw:
            return self.raw
        if self.error is not None:
            return json.dumps({"error": self.error}).encode()
        message: dict[str, Any] = {"role": "assistant", "content": self.text}
        if self.calls:
            message["tool_calls"] = [
                {"id": str(n), "type": "function", "function": {"name": name, "arguments": "{}"}}
                for n, name in enumerate(self.calls)
            ]
        choice = {"index": 0, "finish_reason": self.finish_reason, "message": message}
        whole = {"id": "c", "object": "chat.completion", "created": 0, "model": "m-2026", "choices": [choice]}
        return json.dumps(whole).encode()


class Endpoint(ThreadingHTTPServer):
    """Gives one answer after the other, the last for ever."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, *answers: Says) -> None:
        self.left = list(answers)
        self.asked_at: list[float] = []
        self.bodies: list[dict[str, Any]] = []
        self.over = threading.Event()
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                endpoint.bodies.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
                endpoint.asked_at.append(time.monotonic())
                says = endpoint.left.pop(0) if len(endpoint.left) > 1 else endpoint.left[0]
                if endpoint.over.wait(says.after_s):
                    return
                body = says.body()
                self.send_response(says.status)
                for name, value in {**says.headers, "content-length": str(len(body))}.items():
                    self.send_header(name, value)
                self.send_header("content-type", "application/json")
                self.end_headers()
                with suppress(ConnectionError):
                    self.wfile.write(body)

            def log_message(self, format: str, *arguments: Any) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)

    def ask(
        self,
        *,
        retries: int = 3,
        time_s_max: float = 300.0,
        session: NoEpisode | None = None,
        images: bool = False,
    ) -> Result:
        """Hold a trial with this endpoint."""
        if session is None:
            session = NoEpisode()
            session.apps = ()
        agent = Llm("m", base_url=f"http://127.0.0.1:{self.server_port}/v1", retries=retries, images=images)
        return agent.play(Assignment(TASK, "You are.", "Do it.", session, TrialLimits(7, time_s_max=time_s_max)))


@pytest.fixture
def endpoint() -> Iterator[Callable[..., Endpoint]]:
    started: list[Endpoint] = []

    def start(*answers: Says) -> Endpoint:
        started.append(Endpoint(*answers))
        threading.Thread(target=started[-1].serve_forever, args=(0.01,), daemon=True).start()
        return started[-1]

    yield start
    for each in started:
        each.over.set()
        each.shutdown()
        each.server_close()


@pytest.mark.parametrize(
    ("says", "said"),
    [
        (lambda: Says(raw=b"x" * (17 * 2**20)), "127.0.0.1 sends an answer of over 16,777,216 bytes"),
        (
            lambda: Says(raw=gzip.compress(b"x" * 2**27), headers={"content-encoding": "gzip"}),
            "127.0.0.1 sends an answer of over 65,536 bytes",
        ),
        (
            lambda: Says(raw=b"x", headers={"content-encoding": "br"}),
            "127.0.0.1 sends an answer as br, which was not asked for",
        ),
        (lambda: Says(raw=b"[" * 100_000), "its reply is JSON nested too deep to be read"),
    ],
    ids=["long", "compressed", "br", "deep"],
)
def test_a_reply_beyond_all_bounds_ends_the_trial_at_once(
    endpoint: Callable[..., Endpoint], says: Callable[[], Says], said: str
) -> None:
    asked = endpoint(says())

    with pytest.raises(InfrastructureError) as failed:
        asked.ask()

    assert str(failed.value) == f"the model did not answer: {said}"
    assert len(asked.asked_at) == 1


@pytest.mark.parametrize("reason", ["length", "content_filter"])
def test_a_reply_that_was_cut_is_an_outcome_of_its_own(endpoint: Callable[..., Endpoint], reason: str) -> None:
    result = endpoint(Says(text="It is 38 of", finish_reason=reason)).ask()

    assert (result.ended, result.finish_reasons, result.models) == (reason, (reason,), ("m-2026",))
    assert outcome_of(1.0, False, result.ended) == reason


def test_a_prompt_that_the_provider_filters_is_an_outcome_of_its_own(endpoint: Callable[..., Endpoint]) -> None:
    filtered = endpoint(Says(400, error={"message": "filtered", "code": "content_filter"}))

    assert filtered.ask().ended == "content_filter"


@pytest.mark.parametrize(
    "error",
    [
        {"message": "too long", "code": "context_length_exceeded"},
        {"message": "This model's maximum context length is 8192 tokens.", "code": 400},
        {"message": "prompt is too long: 210000 tokens > 200000 maximum"},
    ],
)
def test_a_conversation_that_outgrows_the_model_is_the_agents_failure(
    endpoint: Callable[..., Endpoint], error: dict[str, Any]
) -> None:
    result = endpoint(Says(400, error=error)).ask()

    assert result.ended == "context"
    assert outcome_of(0.0, False, result.ended) == "context"


class Pictures(NoEpisode):
    """An episode with one tool, whose answer has a text and a picture of six bytes."""

    apps = ("camera",)

    def tools(self, _: str) -> list[dict[str, Any]]:
        return [{"name": "look", "description": "", "inputSchema": {"type": "object"}}]

    def call(self, *_: Any) -> dict[str, Any]:
        picture = {"type": "image", "mimeType": "image/png", "data": "aGVsbG8h"}
        return {"content": [{"type": "text", "text": "a view"}, picture]}


def test_a_picture_is_left_out_and_the_model_reads_that_it_is(endpoint: Callable[..., Endpoint]) -> None:
    asked = endpoint(Says(calls=("camera__look",), finish_reason="tool_calls"), Says())

    asked.ask(session=Pictures())

    assert asked.bodies[1]["messages"][-1]["content"] == "a view\n[image image/png, 6 bytes, left out]"


def test_pictures_of_a_turn_are_shown_after_its_answers_if_asked_for(endpoint: Callable[..., Endpoint]) -> None:
    asked = endpoint(Says(calls=("camera__look", "camera__look"), finish_reason="tool_calls"), Says())

    result = asked.ask(session=Pictures(), images=True)

    first, second, shown = asked.bodies[1]["messages"][-3:]
    assert first["content"] == second["content"] == "a view\n[image image/png, 6 bytes, shown below]"
    assert (shown["role"], [part["type"] for part in shown["content"]]) == ("user", ["text", "image_url", "image_url"])
    assert shown["content"][1]["image_url"]["url"] == "data:image/png;base64,aGVsbG8h"
    assert result.turns == ([("camera", "look", {}), ("camera", "look", {})],)


def test_another_refusal_is_not_the_agents_failure_and_not_tried_again(endpoint: Callable[..., Endpoint]) -> None:
    refusing = endpoint(Says(400, error={"message": "no such model"}))

    with pytest.raises(InfrastructureError, match="no such model"):
        refusing.ask()

    assert len(refusing.asked_at) == 1


def test_a_busy_endpoint_is_asked_again_when_it_says(
    endpoint: Callable[..., Endpoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(llm, "_BACKOFF_S", 3600.0)
    monkeypatch.setattr(llm, "_BACKOFF_S_MAX", 3600.0)  # of a wait that it does not say, longer than the trial
    busy = endpoint(Says(429, error={"message": "slow down"}, headers={"retry-after": "1"}), Says())

    assert busy.ask().answer == "done"

    first, second = busy.asked_at
    assert second - first >= 1.0


def test_an_endpoint_is_asked_no_more_often_than_allowed(endpoint: Callable[..., Endpoint]) -> None:
    broken = endpoint(Says(503, error={"message": "overloaded"}, headers={"retry-after-ms": "10"}))

    with pytest.raises(InfrastructureError, match="overloaded"):
        broken.ask(retries=2)

    assert len(broken.asked_at) == 3


def test_an_endpoint_that_wants_more_time_than_a_trial_has_ends_it_at_once(endpoint: Callable[..., Endpoint]) -> None:
    busy = endpoint(Says(429, error={"message": "slow down"}, headers={"retry-after": "3600"}))

    with pytest.raises(InfrastructureError, match="asks to wait 3600 s, longer than the trial may take"):
        busy.ask()

    assert len(busy.asked_at) == 1


def test_an_endpoint_that_never_answers_is_not_the_agents_failure(endpoint: Callable[..., Endpoint]) -> None:
    with pytest.raises(InfrastructureError, match="nothing came in 1 s, to the end of the trial"):
        endpoint(Says(after_s=20)).ask(time_s_max=1)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "Mon, 09 Mar 2026 01:01:30 GMT"}, 90.0),
        ({"retry-after": "Mon, 09 Mar 2026 00:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({}, None),
    ],
)
def test_the_time_to_wait_is_read_in_every_form_it_comes_in(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers, NOW) == seconds
