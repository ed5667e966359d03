"""The person whom the agent works for, by a script of what they know: told when asked for, and not without end."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from farm.appkit import Episode, Result, Row, parse_json
from farm.context.operators import find_problem, satisfies
from farm.errors import FarmError

from . import errors

KEYS = ("answers", "unknown", "tired", "questions_max")
ANSWER_KEYS = ("asks", "says", "patience")
UNKNOWN = "I don't know. Decide yourself."
TIRED = "I have no time for more questions. Please go on with what you have."
TOLD = "I have told you that already. Please go on."
QUESTIONS_MAX, PATIENCE = 5, 2


def user_rows(script: Mapping[str, Any]) -> list[Row]:
    """Return the rows of a start for an episode's ``user``.

    Raises:
        FarmError: the script has an unknown key, or a value of the wrong form.
    """
    _require_keys(script, KEYS, "user")
    head = {"unknown": script.get("unknown", UNKNOWN), "tired": script.get("tired", TIRED)}
    for name, text in head.items():
        _require_text(text, f"user.{name}")
    questions_max = _require_count(script.get("questions_max", QUESTIONS_MAX), "user.questions_max")
    return [
        {"table": "users", "number": 1, **head, "questions_max": questions_max},
        *_answer_rows(script.get("answers", [])),
    ]


def _answer_rows(answers: Any) -> Iterator[Row]:
    if not isinstance(answers, list | tuple):
        raise FarmError(f"'user.answers' must be a list of answers, not {answers!r}")
    for number, answer in enumerate(answers, 1):
        where = f"user.answers[{number - 1}]"
        if not isinstance(answer, Mapping):
            raise FarmError(f"'{where}' must be an object of {', '.join(ANSWER_KEYS)}, not {answer!r}")
        _require_keys(answer, ANSWER_KEYS, where)
        yield {
            "table": "answers",
            "number": number,
            "asks": json.dumps(_conditions(answer.get("asks"), where), ensure_ascii=False),
            "says": _require_text(answer.get("says"), f"{where}.says"),
            "patience": _require_count(answer.get("patience", PATIENCE), f"{where}.patience"),
        }


def _conditions(asks: Any, where: str) -> list[Mapping[str, Any]]:
    """Return the tables of operators, of which a question satisfies one to get the answer."""
    found = asks if isinstance(asks, list | tuple) else [asks]
    for each in found:
        problem = "it is a table of operators" if not isinstance(each, Mapping) else find_problem(each)
        if problem:
            raise FarmError(f"'{where}.asks': {problem}")
    if not found:
        raise FarmError(f"'{where}.asks': no question would get this answer")
    return list(found)


def _require_keys(given: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    if unknown := sorted(set(given) - set(known)):
        raise FarmError(f"unknown key '{unknown[0]}' of '{where}'; it takes {', '.join(known)}")


def _require_text(given: Any, where: str) -> str:
    if not isinstance(given, str) or not given:
        raise FarmError(f"'{where}' must be a text, not {given!r}")
    return given


def _require_count(given: Any, where: str) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise FarmError(f"'{where}' must be a number from 1 on, not {given!r}")
    return given


def find_question(ep: Episode, *, question: str) -> str | None:
    """Return the question as the person at the client is asked it; None if the script's person has no time for more."""
    user = ep.db.one("SELECT * FROM users LIMIT 1")
    asked = ep.db.one("SELECT count(*) AS count FROM questions")
    return None if user is not None and asked is not None and asked["count"] >= user["questions_max"] else question


def ask_user(ep: Episode, *, question: str) -> Result:
    """Return what the person at the client answered, or else answer by the script: facts asked for, and no others.

    Raises:
        NobodyToAsk: the episode has no user, and nobody at the client answered.
    """
    user = ep.db.one("SELECT * FROM users LIMIT 1")
    if user is None and ep.answer is None:
        raise errors.NobodyToAsk
    asked = ep.db.all("SELECT * FROM questions ORDER BY number")  # Reads all questions: a person hears only a few.
    if user is not None and len(asked) >= user["questions_max"]:
        return str(user["tired"])
    if user is None or ep.answer is not None:
        ep.db.insert("questions", number=len(asked) + 1, question=question, told="[]")
        return str(ep.answer)
    answers = [each for each in ep.db.all("SELECT * FROM answers ORDER BY number") if _is_asked(each, question)]
    told = [number for row in asked for number in parse_json(row["told"])]
    ep.db.insert(
        "questions",
        number=len(asked) + 1,
        question=question,
        told=json.dumps([each["number"] for each in answers]),
    )
    return " ".join(_said(each, told.count(each["number"])) for each in answers) or str(user["unknown"])


def _is_asked(answer: Row, question: str) -> bool:
    return any(satisfies(each, question) for each in parse_json(answer["asks"]))


def _said(answer: Row, times: int) -> str:
    if times >= answer["patience"]:
        return TOLD
    return f"As I said: {answer['says']}" if times else str(answer["says"])
