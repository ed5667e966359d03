"""The loop: write, run behind the fence, compare, ask the real server, repair; the best app is kept."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from farm._util.plurals import pluralize
from farm._util.prompt_writers import Writer
from farm.traverse.fidelity.table import Arm
from farm.traverse.recordings.calls import Recorded
from farm.traverse.synth import prompt
from farm.traverse.synth.answer import AnswerError, Written, read_answer
from farm.traverse.synth.app_files import Plan, render, write
from farm.traverse.synth.ask import Asked
from farm.traverse.synth.box import play_boxed
from farm.traverse.synth.recognise import FoundDialect
from farm.traverse.synth.score import WORST, Score, crashes, differences, judge, score
from farm.traverse.synth.sieve import find_problem

ROUNDS_MAX = 6
_WITHOUT_GAIN_MAX = 3
_STAGING = "staging"


@dataclass(frozen=True)
class Attempt:
    """One version of the app.

    Attributes:
        problem: why it could not be run, or None.
        arm: its answers beside the recorded ones, if it ran.
    """

    written: Written
    score: Score = WORST
    problem: str | None = None
    arm: Arm | None = None


@dataclass(frozen=True)
class Synthesis:
    """What a synthesis came to.

    Attributes:
        best: the best app.
        rounds: the score of every round.
        prompts: number of prompts.
        tokens: estimated tokens of prompts and answers.
        writing_s: the time that the writer took, as far as it is known.
        asked: number of calls that the real server answered.
    """

    best: Attempt
    rounds: tuple[Score, ...]
    prompts: int
    tokens: int
    writing_s: float
    asked: int


@dataclass
class Loop:
    """Writes an app for a pool.

    Attributes:
        work: the folder with prompts, answers and the staged app.
        asked: asks the real server, where it may be asked.
        documents: what is known besides the pool.
        say: tells the user one line.
    """

    plan: Plan
    dialect: FoundDialect
    writer: Writer
    work: Path
    asked: Asked
    documents: str = ""
    rounds_max: int = ROUNDS_MAX
    goal: float = 1.0
    say: Callable[[str], None] = lambda _: None
    _more: list[Recorded] = field(default_factory=list)
    _steps: int = 0

    def traversed(self) -> Synthesis:
        """Write from the calls, and repair until the goal, the last round, or until nothing improves."""
        return self._mended(
            self._try(self._answered("write", prompt.write_prompt(self.plan, self.dialect, self.documents)))
        )

    def vanilla(self) -> Synthesis:
        """Write from documentation alone: one prompt; only code that does not run, or crashes, is handed back."""
        asking = prompt.vanilla_prompt(self.plan, self.documents)
        return self._running(self._try(self._answered("vanilla", asking)), is_documented=True)

    def paper(self) -> Synthesis:
        """Write in the paper's steps: the context handler, then tool by tool; only code that fails is repaired."""
        context = self._answered("context", prompt.context_prompt(self.plan, self.dialect))
        written = context
        for tool, handler in self.plan.handlers.items():
            module = f"tool_{handler}.py"
            asking = prompt.kernel_prompt(self.plan, self.dialect, tool, context, module)
            written = self._answered("kernel", asking, written)
        return self._running(self._try(written), is_documented=False)

    def _answered(self, kind: str, asking: str, before: Written | None = None) -> Written:
        """Return the app with an answer's files; an unusable answer is handed back with the reason.

        Args:
            before: the app whose files the answer adds to, or replaces.
        """
        text = asking
        for _ in range(1 + self.rounds_max):
            answer = self._ask(kind, text)
            try:
                written = read_answer(answer)
                if before is not None:
                    written = before.with_changes(written)
                if (problem := find_problem(written.files)) is None:
                    return written
            except AnswerError as unusable:
                problem = str(unusable)
            self.say(f"the answer cannot be used: {problem}")
            text = f"{asking}\n\nAn earlier answer could not be used: {problem}. Answer again, with all files.\n"
        raise AnswerError(
            f"no usable answer in {pluralize(1 + self.rounds_max, 'attempt')}; the last problem: {problem}"
        )

    def _ask(self, kind: str, asking: str) -> str:
        self._steps += 1
        step = f"{self._steps:02d}-{kind}"
        answer = self.writer.answer(step, asking)
        self.say(f"{step}: {prompt.tokens(asking)} tokens asked, {prompt.tokens(answer.text)} answered")
        return answer.text

    def _running(self, attempt: Attempt, *, is_documented: bool) -> Synthesis:
        """Hand back code that does not run, or crashes, without an answer of the real server; the last is kept."""
        rounds, running = [attempt.score], attempt
        while (attempt.problem is not None or attempt.score.crashes) and len(rounds) <= self.rounds_max:
            if attempt.arm is None:
                asking = self._repair_prompt(attempt, "")
            else:
                asking = prompt.crash_prompt(
                    self.plan, attempt.written, crashes(attempt.arm), is_documented=is_documented
                )
            attempt = self._try_repair(attempt, "crash", asking)
            rounds.append(attempt.score)
            running = attempt if attempt.problem is None or running.problem is not None else running
        return self._result(running, rounds)

    def _mended(self, attempt: Attempt) -> Synthesis:
        rounds, best, without_gain = [attempt.score], attempt, 0
        while True:
            if attempt.problem is None and self._asked_again(attempt, len(rounds)):
                is_best = attempt is best
                attempt = self._try(replace(attempt.written, guesses=()))
                best = attempt if is_best else self._try(best.written)
            is_good = attempt.problem is None and self._is_good(attempt.score)
            if is_good or len(rounds) > self.rounds_max or without_gain >= _WITHOUT_GAIN_MAX:
                break
            told = "" if attempt.arm is None else differences(attempt.arm, self.plan)
            attempt = self._try_repair(attempt, "repair", self._repair_prompt(attempt, told))
            rounds.append(attempt.score)
            without_gain = 0 if attempt.score > best.score else without_gain + 1
            best = max(best, attempt, key=lambda each: each.score)
        return self._result(best, rounds)

    def _is_good(self, found: Score) -> bool:
        return found.exact >= self.goal and not found.crashes

    def _asked_again(self, attempt: Attempt, number: int) -> bool:
        """Ask the real server what the writer had to guess, and random calls; return whether it answered any."""
        found = [*self.asked.guesses(attempt.written.guesses), *self.asked.random(number)]
        self._more += found
        if found:
            self.say(f"the real server answered {len(found)} more calls")
        return bool(found)

    def _repair_prompt(self, attempt: Attempt, told: str) -> str:
        problem = "" if attempt.problem is None else f"**It did not run to its end: {attempt.problem}**"
        return prompt.repair_prompt(
            self.plan,
            attempt.written,
            figures=attempt.score.sentence if attempt.problem is None else "",
            problem=problem,
            differences=told,
        )

    def _try_repair(self, attempt: Attempt, kind: str, asking: str) -> Attempt:
        try:
            changed = self._answered(kind, asking, attempt.written)
        except AnswerError as unusable:
            return replace(attempt, score=WORST, problem=str(unusable))
        return self._try(changed)

    def _try(self, written: Written) -> Attempt:
        """Run one version behind the fence."""
        if (problem := find_problem(written.files)) is not None:
            return self._failed(written, problem)
        staging = self.work / _STAGING
        shutil.rmtree(staging, ignore_errors=True)
        try:
            write(render(self.plan, written), staging)
        except AnswerError as incomplete:
            return self._failed(written, str(incomplete))
        calls = self.calls
        played = play_boxed(staging, self.plan.app, calls, rows=written.start, masks=self.plan.evidence.masks, me=None)
        arm = judge(self.plan, calls, played.answers)
        found = score(arm)
        if played.problem is not None:
            return self._failed(written, played.problem.replace(str(staging), ""))
        self.say(found.sentence)
        return Attempt(written, found, None, arm)

    def _failed(self, written: Written, problem: str) -> Attempt:
        self.say(f"the app does not run: {problem}")
        return Attempt(written, WORST, problem)

    @property
    def calls(self) -> Sequence[Recorded]:
        """The calls that decide: the pool's open ones, and those that the real server answered since."""
        return [*self.plan.evidence.seen, *self._more]

    def _result(self, best: Attempt, rounds: Sequence[Score]) -> Synthesis:
        asked = self.writer.asked
        shutil.rmtree(self.work / _STAGING, ignore_errors=True)
        return Synthesis(
            best,
            tuple(rounds),
            len(asked),
            sum(prompt.tokens(each.prompt) + prompt.tokens(each.text) for each in asked),
            round(sum(each.elapsed_s for each in asked), 1),
            len(self._more),
        )
