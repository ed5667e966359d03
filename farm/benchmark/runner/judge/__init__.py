"""An optional second opinion: a model judges the texts that code is unsure of or nearly so, or every text.

Each question is sent once: ``judge.jsonl`` in the run's folder caches the verdicts by a hash of the question. Judged
texts come from agents, so a question cannot be answered by them: a text is escaped data in the user's message, rules
are in the system's, and a verdict counts only with the mark of its request, which no text can know.
"""

from __future__ import annotations

import json
import secrets
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any, Literal, get_args

from farm._util.llm_cache import CachedModel
from farm.benchmark.scoring.metrics import decided, figures, judged_scores

PROMPT = "contested-3"
CACHE = "judge.jsonl"
_QUESTION = "Does the text say all of that, and nothing that contradicts it?"
_REASON_MAX = 500

Word = Literal["yes", "partly", "no"]
# Signs that some models take for the frame of a conversation, or for JSON of the answer.
_FRAMES = frozenset("<>[]{}|`#")
# Invisible signs: bidirectional controls, tags, zero widths, separators of lines.
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


@dataclass(frozen=True)
class Verdict:
    """The verdict of a model on one text; ``word`` is None if its reply was none."""

    word: Word | None
    reason: str

    @property
    def is_said(self) -> bool | None:
        """Whether the text says what it should; None without a verdict."""
        return None if self.word is None else self.word == "yes"


class JudgeModel(CachedModel):
    """Asks a model behind an OpenAI-compatible API whether a text says what it should."""

    def __init__(self, model: str, folder: Path, *, base_url: str | None = None) -> None:
        """Use a model, and cache its verdicts in a run's folder."""
        super().__init__(model, folder / CACHE, role="the judge", base_url=base_url)

    def judge(self, written: Mapping[str, Any], said: str) -> Verdict:
        """Return the verdict on a text.

        Args:
            written: a ``farm.benchmark.scoring.evidence.Contested`` in the log's form.
            said: the instruction of the agent.

        Raises:
            FarmError: the model does not answer.
        """
        if not written.get("is_read", True):
            return Verdict(None, "only the beginning of the text is in the log")
        return _stored(self.answer(data_for(written, said), text=written["text"]))

    def recorded(self, written: Mapping[str, Any], said: str) -> Verdict | None:
        """Return the cached verdict on a text; None if the model was never asked."""
        known = self.cached(data_for(written, said)) if written.get("is_read", True) else None
        return None if known is None else _stored(known)

    def decide(self, written: Mapping[str, Any], said: str) -> bool | None:
        """Return whether a text says what it should; None without a verdict."""
        return self.judge(written, said).is_said

    def _ask(self, question: str) -> str:
        """Return the verdict as JSON. The mark is new in each request, and no part of the cached question."""
        mark = secrets.token_hex(8)
        found = verdict_in(self._complete(messages_for(question, mark)), mark)
        return json.dumps({"verdict": found.word, "reason": found.reason}, ensure_ascii=False)


def data_for(written: Mapping[str, Any], said: str) -> str:
    """Return the question about a text: one JSON object whose texts hold no sign that could end it."""
    data = {
        "asked": said,
        "wanted": list(written["wanted"]),
        "question": written["question"] or _QUESTION,
        "doubts": list(written["doubts"]),
        "text": written["text"],
    }
    return "{" + ", ".join(f"{json.dumps(key)}: {_escaped(value)}" for key, value in data.items()) + "}"


def _escaped(value: str | list[str]) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_escaped, value)) + "]"
    return "".join(_sign(sign) for sign in json.dumps(value, ensure_ascii=False))


def _sign(sign: str) -> str:
    if sign in _FRAMES:
        return f"\\u{ord(sign):04x}"
    return json.dumps(sign)[1:-1] if unicodedata.category(sign) in _INVISIBLE else sign


def messages_for(question: str, mark: str) -> list[dict[str, str]]:
    """Return the request about one text: the rules, then the data between two lines with the mark."""
    rules = Template(files(__name__).joinpath(f"{PROMPT}.md").read_text("utf-8")).substitute(mark=mark)
    return [{"role": "system", "content": rules}, {"role": "user", "content": f"{mark}\n{question}\n{mark}"}]


def verdict_in(reply: str, mark: str) -> Verdict:
    """Return the verdict of a reply: of its only JSON object with the mark, or of several that agree."""
    found = [each for each in _objects(reply) if each.get("mark") == mark and each.get("verdict") in get_args(Word)]
    words = {each["verdict"] for each in found}
    if len(words) != 1:
        return Verdict(None, f"no verdict in '{reply[:_REASON_MAX]}'")
    return Verdict(words.pop(), str(found[0].get("reason", ""))[:_REASON_MAX])


def _objects(reply: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of a reply, which may stand in a fence or beside words."""
    decoder, place = json.JSONDecoder(), 0
    while (start := reply.find("{", place)) >= 0:
        try:
            found, place = decoder.raw_decode(reply, start)
        except (ValueError, RecursionError):
            place = start + 1
            continue
        if isinstance(found, dict):
            yield found


def _stored(answer: str) -> Verdict:
    found = json.loads(answer)
    return Verdict(found["verdict"], found["reason"])


def texts_of(point: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return every text of a checkpoint in prose; neither what stands in an answer sheet nor a report is one."""
    beside = point.get("by_prose") or {}
    own = [each for each in point["contested"] if each["place"] != "answer sheet"]
    settled = [each for each in point.get("settled", ()) if each["place"] != "report"]
    return [*own, *settled, *beside.get("contested", ())]


def judged(
    trials: Sequence[Mapping[str, Any]], judge: JudgeModel, said: Mapping[str, str], *, every: bool = False
) -> dict[str, Any]:
    """Return the figures with a judge's decisions on contested and close texts, and how often it agrees with code.

    Args:
        trials: the trials.
        judge: the judge.
        said: task id → the instruction of the agent.
        every: whether it judges every text: ``every_text`` then has ``acc`` as it would be by its verdicts alone.
    """
    verdicts = [
        (trial["task"], trial["trial"], point["id"], number, each["guess"], judge.decide(each, said[trial["task"]]))
        for trial in trials
        for point in trial["checkpoints"]
        for number, each in enumerate(point["contested"])
    ]
    known = {(task, trial, point, number): verdict for task, trial, point, number, _, verdict in verdicts}
    close = [
        ((trial["task"], trial["trial"], point["id"]), judge.decide(each, said[trial["task"]]))
        for trial in trials
        for point in trial["checkpoints"]
        for each in point.get("settled", ())
        if each.get("is_close") and not point.get("by_prose")  # beside a sheet, prose decides nothing
    ]
    refused = {where for where, verdict in close if verdict is False}
    made = [guess == verdict for *_, guess, verdict in verdicts if verdict is not None]
    return {
        "model": judge.model,
        "prompt": PROMPT,
        "contested": len(verdicts),
        "decided": len(made),
        "agrees": sum(made),
        "close": len(close),
        "close_refused": sum(verdict is False for _, verdict in close),
        **figures([decided(trial, known, refused) for trial in trials]),
        **({"every_text": _by_judge(trials, judge, said)} if every else {}),
    }


def _by_judge(trials: Sequence[Mapping[str, Any]], judge: JudgeModel, said: Mapping[str, str]) -> dict[str, Any]:
    """Return ``acc`` with every text decided by the judge, as benchmarks do that have no other judge."""
    words = {
        (trial["task"], trial["trial"], point["id"]): [
            judge.judge(each, said[trial["task"]]).word for each in texts_of(point)
        ]
        for trial in trials
        for point in trial["checkpoints"]
    }
    every = [word for each in words.values() for word in each]
    found = figures([judged_scores(trial, words) for trial in trials])
    return {
        "acc": found["acc"],
        "sr_08": found["sr_08"],
        "texts": len(every),
        "decided": sum(word is not None for word in every),
    }
