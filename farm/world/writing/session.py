"""Ask for the files of a world, batch by batch: an answer is accepted, sent back at most twice, or left to a person."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from farm._util.prompt_writers import AnswerPendingError, Writer
from farm.errors import FarmError
from farm.world.spec import Spec
from farm.world.writing.accept import Acceptance
from farm.world.writing.batches import Batch, read_batches
from farm.world.writing.prompt import again_prompt, batch_prompt, material

FOLDER, ACCEPTED = "written", "accepted.json"
AGAIN_MAX = 2
_FENCE = re.compile(r"^(`{3,}|~{3,})[^\n]*\n(.*?)^\1\s*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Result:
    """What became of a batch.

    Attributes:
        batch: the batch.
        state: ``stands`` (the file was there, and is accepted), ``written``, ``refused``, or ``waits`` for an answer.
        answers: how many answers were read.
        problems: why it is refused, or what it waits for, one line each.
    """

    batch: Batch
    state: str
    answers: int = 0
    problems: Sequence[str] = ()

    @property
    def is_done(self) -> bool:
        """Whether the file is there and accepted."""
        return self.state in ("stands", "written")

    def __str__(self) -> str:
        name = f"{self.batch.key}: spec/{self.batch.app}/{self.batch.file}"
        if self.state == "waits":
            return f"{self.batch.key}: {self.problems[0]}"
        answers = f" after {self.answers} answers" if self.answers > 1 else ""
        return f"{name} {self.state}{answers}"


def write_batches(
    spec: Spec, writer: Writer, only: Sequence[str] = (), said: Callable[[Result], None] = lambda _: None
) -> list[Result]:
    """Have every batch written whose file is not there, and check the others.

    Args:
        spec: the world.
        writer: keeps its answers in ``written/`` of the world.
        only: keys of batches; empty for all.
        said: gets each result as it comes.

    Raises:
        WorldError: ``write.toml`` is invalid.
        FarmError: there is no such batch, or the writer fails.
    """
    batches = read_batches(spec)
    for key in only:
        if key not in [batch.key for batch in batches]:
            raise FarmError(f"no batch '{key}'; have {', '.join(batch.key for batch in batches)}")
    session, results = _Session(spec, writer), list[Result]()
    for batch in batches:
        if not only or batch.key in only:
            results.append(session.result(batch))
            said(results[-1])
    return results


class _Session:
    def __init__(self, spec: Spec, writer: Writer) -> None:
        self._spec, self._writer = spec, writer
        self._acceptance = Acceptance(spec)
        self._folder = spec.folders[0] / FOLDER

    def result(self, batch: Batch) -> Result:
        if batch.path.is_file():
            problems = self._acceptance.problems(batch, batch.path.read_text("utf-8"))
            return Result(batch, "refused" if problems else "stands", 0, problems)
        if (text := self._accepted(batch)) is not None:
            self._put(batch, text)
            return Result(batch, "written")
        try:
            return self._asked(batch, batch_prompt(self._spec, batch))
        except AnswerPendingError as waits:
            return Result(batch, "waits", 0, [str(waits)])

    def _asked(self, batch: Batch, first: str) -> Result:
        prompt, problems = first, list[str]()
        for number in range(AGAIN_MAX + 1):
            step = f"{batch.key}-again-{number}" if number else batch.key
            text = file_in(self._writer.answer(step, prompt).text)
            problems = self._acceptance.problems(batch, text)
            if not problems:
                self._keep(batch, prompt)
                self._put(batch, text)
                return Result(batch, "written", number + 1)
            prompt = again_prompt(first, text, problems, number + 1, AGAIN_MAX + 1)
        refused = self._folder / "refused" / f"{batch.key}{batch.path.suffix}"
        refused.parent.mkdir(parents=True, exist_ok=True)
        refused.write_text(text, "utf-8")
        todo = f"mend {refused} and move it to {batch.path}"
        return Result(batch, "refused", AGAIN_MAX + 1, [*problems, todo])

    def _put(self, batch: Batch, text: str) -> None:
        batch.path.parent.mkdir(parents=True, exist_ok=True)
        batch.path.write_text(text, "utf-8")
        self._acceptance.learn(batch, text)

    # An accepted answer is found by what the batch is made from: a rebuilt world asks nothing again, also by a farm
    # whose prompts have other words.

    def _accepted(self, batch: Batch) -> str | None:
        digest = self._accepted_digests().get(_digest(material(self._spec, batch)))
        kept = None if digest is None else self._writer.kept(digest)
        return None if kept is None else file_in(kept)

    def _keep(self, batch: Batch, prompt: str) -> None:
        digests = {**self._accepted_digests(), _digest(material(self._spec, batch)): _digest(prompt)}
        (self._folder / ACCEPTED).write_text(json.dumps(digests, indent=1, sort_keys=True) + "\n", "utf-8")

    def _accepted_digests(self) -> dict[str, str]:
        path = self._folder / ACCEPTED
        read: dict[str, str] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
        return read


def _digest(prompt: str) -> str:
    return sha256(prompt.encode(errors="surrogatepass")).hexdigest()


def file_in(answer: str) -> str:
    """Return the file that an answer holds: its longest fenced block, or all of it."""
    blocks = [found[2] for found in _FENCE.finditer(answer)]
    text = max(blocks, key=len) if blocks else answer
    return f"{text.strip()}\n"


def problem_lines(results: Sequence[Result]) -> Iterator[str]:
    """Yield one line for each thing that a person has to do."""
    for result in results:
        if result.state == "refused":
            place = f"{result.batch.key}: spec/{result.batch.app}/{result.batch.file}"
            yield from (f"{place}: {problem}" for problem in result.problems)
