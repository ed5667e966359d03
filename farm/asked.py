"""Questions to a model behind an OpenAI-compatible API: each goes out once, its answer is kept in a file."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import orjson

from farm.errors import FarmError


class AskedOnce:
    """A model and the answers it has given, one JSON line each, by a hash of everything asked."""

    def __init__(self, model: str, path: Path, *, role: str = "the model", base_url: str | None = None) -> None:
        """Use a model; the key is read from ``OPENAI_API_KEY``, the address from ``OPENAI_BASE_URL`` when not given.

        Args:
            path: where its answers are kept.
            role: what messages call it.
        """
        self.model = model
        self._role = role
        self._base_url = base_url or os.environ.get("OPENAI_BASE_URL") or None
        self._path = path
        self._answers = dict(_kept(path))

    def answer(self, question: str, **noted: str) -> str:
        """Return the model's answer, the kept one where it was asked before.

        Args:
            noted: written beside a new answer, for who reads the file.

        Raises:
            FarmError: the model does not answer.
        """
        key = hashlib.sha256(f"{self.model}\n{question}".encode()).hexdigest()
        if key not in self._answers:
            self._answers[key] = self._ask(question)
            line = {"key": key, "model": self.model, **noted, "answer": self._answers[key]}
            with self._path.open("ab") as file:
                file.write(orjson.dumps(line) + b"\n")
        return self._answers[key]

    def _ask(self, question: str) -> str:
        from openai import OpenAI, OpenAIError

        key = os.environ.get("OPENAI_API_KEY") or "none"
        try:
            with OpenAI(base_url=self._base_url, api_key=key) as api:
                reply = api.chat.completions.create(
                    model=self.model, messages=[{"role": "user", "content": question}], temperature=0
                )
        except OpenAIError as problem:
            raise FarmError(f"{self._role} {self.model} did not answer: {problem}") from problem
        return (reply.choices[0].message.content or "") if reply.choices else ""


def _kept(path: Path) -> Iterator[tuple[str, str]]:
    """Yield what was answered before; a torn last line is cut, and asked again."""
    data = path.read_bytes() if path.is_file() else b""
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        os.truncate(path, len(whole))
    for line in whole.splitlines():
        entry = orjson.loads(line)
        yield entry["key"], entry["answer"]
