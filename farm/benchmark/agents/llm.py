"""The built-in agent: a model behind an OpenAI-compatible API calls the episode's tools until it answers."""

from __future__ import annotations

import asyncio
import itertools
import math
import os
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from openai import (
    APIConnectionError,
    APIStatusError,
    AsyncOpenAI,
    BadRequestError,
    DefaultAsyncHttpxClient,
    OpenAIError,
)
from openai.types.chat import ChatCompletion, ChatCompletionMessage

from farm._util.bounded_http import HEADERS, AnswerTooLongError, bound_answer_async
from farm.benchmark.agents.base import Assignment, Ended, EndpointError, Result, Usage
from farm.benchmark.agents.model_tools import ModelTools

RETRIES = 3
# Statuses below 500 that may be others a moment later: time-out, conflict, too many requests.
_PASSING = (408, 409, 429)
_BACKOFF_S, _BACKOFF_S_MAX = 1.0, 60.0
_SHOWN = "The images of the answers above, in their order."
# Providers' messages for a conversation that exceeds the model's context; there is no common code.
_CONTEXT_OVERFLOWS = (
    "context_length_exceeded",
    "context length",
    "context window",
    "context size",
    "prompt is too long",
    "input is too long",
    "too many tokens",
    "maximum number of tokens",
)


@dataclass
class _Conversation:
    """The state of one trial."""

    messages: list[dict[str, Any]]
    started: float
    deadline: float
    calls_left: int
    turns: list[list[tuple[str, str, dict[str, Any]]]] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    models: list[str] = field(default_factory=list)
    usage_by_model: dict[str, Usage] = field(default_factory=dict)
    finish_reasons: list[str] = field(default_factory=list)
    asked_at: float | None = None

    def result(self, answer: str, ended: Ended) -> Result:
        turns, messages = tuple(self.turns), tuple(self.messages)
        models = tuple(dict.fromkeys(self.models))
        reasons, used = tuple(self.finish_reasons), dict(self.usage_by_model)
        return Result(answer, ended, turns, self.usage, messages, models, reasons, usage_by_model=used)


class Llm:
    """Plays with a model in rounds: the model asks for tool calls, all calls of one reply are one turn."""

    is_sealed = True
    connects = False

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        temperature: float | None = None,
        retries: int = RETRIES,
        images: bool = False,
    ) -> None:
        """Use a model; the key is read from ``OPENAI_API_KEY``, the default address from ``OPENAI_BASE_URL``.

        Args:
            model: the model.
            base_url: the API's address.
            retries: how often a request that the endpoint did not accept is retried.
            images: whether the model is shown the images of answers; otherwise it is told that they are left out.
        """
        self.name = f"llm:{model}"
        self._model = model
        self._base_url = base_url or os.environ.get("OPENAI_BASE_URL") or None
        self._options: dict[str, Any] = {} if temperature is None else {"temperature": temperature}
        self._retries = retries
        self._images = images

    def about(self) -> dict[str, Any]:
        """Return model and settings; of the address only the host, as the rest may contain secrets."""
        host = urlsplit(self._base_url or "https://api.openai.com").netloc.rpartition("@")[2]
        return {
            "model": self._model,
            "host": host,
            "temperature": self._options.get("temperature"),
            "images": self._images,
        }

    def play(self, job: Assignment) -> Result:
        """Run the conversation of one trial."""
        tools = ModelTools(job.session)
        try:
            return asyncio.run(self._play(job, tools))
        except OpenAIError as problem:
            raise EndpointError(f"the model did not answer: {problem}") from problem

    async def _play(self, job: Assignment, tools: ModelTools) -> Result:
        # Retries are done here: the library waits at most a minute, whatever the endpoint asks for.
        opened = AsyncOpenAI(
            base_url=self._base_url,
            api_key=os.environ.get("OPENAI_API_KEY") or "none",
            max_retries=0,
            timeout=job.limits.time_s_max,
            default_headers=HEADERS,
            http_client=DefaultAsyncHttpxClient(event_hooks={"response": [bound_answer_async]}),
        )
        async with opened as model:
            messages = [{"role": "system", "content": job.system}, {"role": "user", "content": job.instruction}]
            now = time.monotonic()
            talk = _Conversation(messages, now, now + job.limits.time_s_max, job.limits.calls_max)
            for _ in range(job.limits.rounds_max):
                if job.cancelled.is_set():
                    break
                try:
                    async with asyncio.timeout(talk.deadline - time.monotonic()):
                        done = await self._round(model, tools, talk)
                except TimeoutError:
                    _require_answering(talk)
                    return talk.result("", "time")
                if done is not None:
                    return done
            return talk.result("", "rounds")

    async def _round(self, model: AsyncOpenAI, tools: ModelTools, talk: _Conversation) -> Result | None:
        """Query the model once and make the calls it requests; return the result if it requests none."""
        try:
            reply = await self._reply(model, tools, talk)
        except BadRequestError as refused:
            ended = _agents_own(refused)
            if ended is None:
                raise
            return talk.result("", ended)
        try:
            message, reason = _read(reply, talk)
        except (AttributeError, TypeError, ValueError) as problem:
            # The library takes any JSON for a completion; its form is the endpoint's choice.
            raise EndpointError(f"the model's reply is no chat completion ({problem})") from None
        if reason in ("length", "content_filter"):
            # The reply is truncated: its text and calls are not what the model meant.
            return talk.result(message.content or "", reason)
        wanted = [call for call in message.tool_calls or () if call.type == "function"]
        if not wanted:
            return talk.result(message.content or "", "answered")
        talk.turns.append([])
        shown: list[dict[str, Any]] = []
        for call in wanted:
            if not talk.calls_left:
                return talk.result(message.content or "", "calls")
            talk.calls_left -= 1
            done = await asyncio.to_thread(tools.call, call.function.name, call.function.arguments)
            if done.call is not None:
                talk.turns[-1].append(done.call)
            text = done.text.replace(", left out]", ", shown below]") if self._images and done.images else done.text
            talk.messages.append({"role": "tool", "tool_call_id": call.id, "content": text})
            shown += ({"type": "image_url", "image_url": {"url": url}} for url in done.images if self._images)
        if shown:
            # A tool's message has only text, so the images of all calls of a turn follow together.
            talk.messages.append({"role": "user", "content": [{"type": "text", "text": _SHOWN}, *shown]})
        return None

    async def _reply(self, model: AsyncOpenAI, tools: ModelTools, talk: _Conversation) -> ChatCompletion:
        """Query the model, with retries if the endpoint is not ready. No tool call is ever repeated."""
        for attempt in itertools.count():
            talk.asked_at = time.monotonic()
            try:
                reply: ChatCompletion = await model.chat.completions.create(
                    model=self._model,
                    messages=talk.messages,  # type: ignore[arg-type] # plain dicts of the same form
                    tools=tools.listed("openai"),  # type: ignore[arg-type]
                    **self._options,
                )
            except AnswerTooLongError as problem:
                raise EndpointError(f"the model did not answer: {problem}") from None
            except RecursionError:
                raise EndpointError("the model did not answer: its reply is JSON nested too deep to be read") from None
            except OpenAIError as problem:
                wait_s = _wait_s(problem, attempt)
                if wait_s is None or attempt >= self._retries:
                    raise
                if time.monotonic() + wait_s >= talk.deadline:
                    said = f"{problem}; it asks to wait {wait_s:.0f} s, longer than the trial may take"
                    raise EndpointError(f"the model did not answer: {said}") from problem
                await asyncio.sleep(wait_s)
            else:
                talk.asked_at = None
                return reply
        raise AssertionError("counting does not end")


def _read(reply: ChatCompletion, talk: _Conversation) -> tuple[ChatCompletionMessage, Any]:
    """Add a reply to the conversation, and return its message and the reason why it ended."""
    talk.models.append(str(reply.model))
    if reply.usage is not None:
        details = reply.usage.prompt_tokens_details
        cached = (details.cached_tokens if details else None) or 0
        used = Usage(reply.usage.prompt_tokens, reply.usage.completion_tokens, cached)
        talk.usage += used
        talk.usage_by_model[reply.model] = talk.usage_by_model.get(reply.model, Usage()) + used
    if not reply.choices:
        raise EndpointError("the model's reply holds no choice")
    message, reason = reply.choices[0].message, reply.choices[0].finish_reason
    _require_texts(reason or "", message.content or "")
    for call in message.tool_calls or ():
        if call.type == "function":
            _require_texts(call.id, call.function.name, call.function.arguments)
    talk.finish_reasons.append(reason)
    talk.messages.append(message.model_dump(exclude_none=True))
    return message, reason


def _require_texts(*values: Any) -> None:
    for value in values:
        if not isinstance(value, str):
            raise TypeError(f"{value!r} stands in place of a text")


def _wait_s(problem: OpenAIError, attempt: int) -> float | None:
    """Return the delay before a retry, from the endpoint or growing each time; None if there is no retry."""
    if isinstance(problem, APIStatusError):
        if problem.status_code not in _PASSING and problem.status_code < 500:
            return None
        told_s = retry_after_s(problem.response.headers, datetime.now(UTC))
        if told_s is not None:
            return told_s
    elif not isinstance(problem, APIConnectionError):
        return None
    return float(min(_BACKOFF_S_MAX, _BACKOFF_S * 2**attempt) * random.uniform(0.75, 1.0))


def retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds an endpoint asks to wait, from seconds, milliseconds or a date; None without a request."""
    for name, unit_s in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) * unit_s
        except (KeyError, ValueError):
            continue
        return max(0.0, seconds) if math.isfinite(seconds) else None
    try:
        at = parsedate_to_datetime(headers["retry-after"])
    except (KeyError, ValueError):
        return None
    # A date without a zone is in UTC.
    return max(0.0, ((at if at.tzinfo else at.replace(tzinfo=UTC)) - now).total_seconds())


def _agents_own(refused: BadRequestError) -> Ended | None:
    """Return the end of the trial for a refused request that is the agent's fault; None for other refusals."""
    said = f"{refused.code} {refused.message}".lower()
    if refused.code == "content_filter":
        return "content_filter"
    return "context" if any(words in said for words in _CONTEXT_OVERFLOWS) else None


def _require_answering(talk: _Conversation) -> None:
    """Raise EndpointError if waiting for one reply took more than half of the trial's time.

    A model that thinks long in many rounds is responsible for its time; an endpoint that never answers is not graded.
    """
    if talk.asked_at is not None and 2 * (talk.deadline - talk.asked_at) > talk.deadline - talk.started:
        waited_s = talk.deadline - talk.asked_at
        raise EndpointError(f"the model did not answer: nothing came in {waited_s:.0f} s, to the end of the trial")
