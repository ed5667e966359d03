"""Ask a model behind an OpenAI-compatible API; each question is sent once, and its answer is cached in a file."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import orjson

from farm.errors import FarmError


class CachedModel:
    """A model with its cached answers: one JSON line each, keyed by a hash of the whole request."""

    def __init__(self, model: str, path: Path, *, role: str = "the model", base_url: str | None = None) -> None:
        """Configure a model; the key is ``OPENAI_API_KEY``, the address ``base_url`` or else ``OPENAI_BASE_URL``.

        Args:
            path: the file with the cached answers.
            role: the model's name in messages.
        """
        self.model = model
        self._role = role
        self._base_url = base_url or os.environ.get("OPENAI_BASE_URL") or None
        self._path = path
        self._answers = dict(_read_answers(path))

    def answer(self, question: str, **noted: str) -> str:
        """Return the model's answer, from the cache if the question was asked before.

        Args:
            noted: extra fields that are written with a new answer, for people who read the file.

        Raises:
            FarmError: the model does not answer.
        """
        key = self._key(question)
        if key not in self._answers:
            self._answers[key] = self._ask(question)
            line = {"key": key, "model": self.model, **noted, "answer": self._answers[key]}
            with self._path.open("ab") as file:
                file.write(orjson.dumps(line) + b"\n")
        return self._answers[key]

    def cached(self, question: str) -> str | None:
        """Return the model's cached answer; None if the question was never asked."""
        return self._answers.get(self._key(question))

    def _key(self, question: str) -> str:
        return hashlib.sha256(f"{self.model}\n{question}".encode()).hexdigest()

    def _ask(self, question: str) -> str:
        return self._complete([{"role": "user", "content": question}])

    def _complete(self, messages: list[dict[str, str]]) -> str:
        """Return the model's reply to a conversation."""
        from openai import DefaultHttpxClient, OpenAI, OpenAIError

        from farm._util.bounded_http import HEADERS, AnswerTooLongError, bound_answer

        key = os.environ.get("OPENAI_API_KEY") or "none"
        try:
            http = DefaultHttpxClient(event_hooks={"response": [bound_answer]})
            with OpenAI(base_url=self._base_url, api_key=key, default_headers=HEADERS, http_client=http) as api:
                reply = api.chat.completions.create(
                    model=self.model,
                    messages=messages,  # type: ignore[arg-type] # plain dicts of the same form
                    temperature=0,
                )
        except (OpenAIError, AnswerTooLongError) as problem:
            raise FarmError(f"{self._role} {self.model} did not answer: {problem}") from problem
        return (reply.choices[0].message.content or "") if reply.choices else ""


def _read_answers(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the cached answers; an incomplete last line is removed, and its question is asked again."""
    data = path.read_bytes() if path.is_file() else b""
    complete = data[: data.rfind(b"\n") + 1]
    if complete != data:
        os.truncate(path, len(complete))
    for line in complete.splitlines():
        entry = orjson.loads(line)
        yield entry["key"], entry["answer"]
