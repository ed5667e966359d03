"""A task, made harder: each raise changes a proven task, and the audit proves it again.

A raise works on the content of a task's file. Those that need words choose rows and values by code, and ask a writer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from farm import content
from farm._util.prompt_writers import Writer
from farm.appkit.faults import FaultAnswer
from farm.benchmark.audit.truth.fact_trace import TraceOf
from farm.benchmark.generate.drafts import Draft
from farm.benchmark.generate.raises.hop import hop
from farm.benchmark.generate.raises.quantity import quantity
from farm.benchmark.generate.raises.scene import Question, Raw, Scene
from farm.benchmark.generate.raises.told_values import correction, distractor
from farm.benchmark.generate.raises.unnamed import unnamed
from farm.benchmark.generate.raises.wait import wait
from farm.benchmark.generate.raises.words import ask
from farm.context.fault_rules import answers_of
from farm.context.template import load_world
from farm.errors import FarmError

# The raises that code makes alone.
RAISES: Mapping[str, str] = {
    "fault": "the server refuses the last writing call at first; its retry goes through, and must be made",
    "pruned": "nothing of the task's context is told any more: it has to be found",
    "person=ID": "somebody else asks for it, in their own accounts",
    "with=TASK": "another task of the same person is asked for in the same breath",
}
# The raises that a writer words.
WORDED: Mapping[str, Callable[[Scene], Question]] = {
    "unnamed": unnamed,
    "correction": correction,
    "distractor": distractor,
    "wait": wait,
    "quantity": quantity,
    "hop": hop,
}
# The kinds of failure after which the same call goes through, and what their rules say besides.
_HEALING: Mapping[str, Mapping[str, Any]] = {"rate_limited": {"retry_after": "20s"}, "server_error": {}, "timeout": {}}
_RETRIES = 2
_JOINED_APPS_MIN = 4
Find = Callable[[str], Raw]


@dataclass(frozen=True)
class Words:
    """Who words raises, and what the questions are made of.

    Attributes:
        writer: answers the questions.
        trace_of: where the rows of a world tell its facts.
        universes: the folder that keeps what people can find; None to keep nothing.
        proofs: why each raise is fair, as they were made.
    """

    writer: Writer
    trace_of: TraceOf
    universes: Path | None = None
    proofs: list[Mapping[str, Any]] = field(default_factory=list)

    def put(self, name: str, task: Raw) -> Raw:
        """Return the content of a task's file, raised and worded."""
        scene = Scene(task, self.trace_of, self.universes)
        question = WORDED[name](scene)
        made = ask(self.writer, scene, name, question)
        self.proofs.append({"raise": name, "writer": self.writer.name, "prompt": question.prompt, **question.proof})
        return made


def raised(task: Mapping[str, Any], raises: list[str], find: Find, words: Words | None = None) -> Raw:
    """Return the content of a harder task's file; its id says how it was raised.

    Args:
        task: the content of a task's file, with the suite's own ``allow``.
        raises: as in ``RAISES`` and ``WORDED``, applied one after the other.
        find: returns the content of another task of the suite by its id.
        words: who words those that need words; None for nobody.

    Raises:
        AnswerPendingError: the writer's answer is waited for.
        FarmError: there is no such raise, this task cannot be raised so, or code refuses the words.
    """
    if not raises:
        raise FarmError(f"name a raise: --by {', '.join((*RAISES, *WORDED))}")
    made = deepcopy(dict(task))
    for each in raises:
        name, _, value = each.partition("=")
        if name == "fault" and not value:
            made = _with_fault(made)
        elif name == "pruned" and not value:
            made = _pruned(made)
        elif name == "person" and value:
            made = _asked_by(made, value)
        elif name == "with" and value == task["id"]:
            raise FarmError(f"{value} cannot be asked for twice in one breath; name another task of the suite")
        elif name == "with" and value:
            made = _joined(made, deepcopy(find(value)))
        elif name in WORDED and not value:
            if words is None:
                raise FarmError(f"{name} needs words; say who writes them: --by-writer files:DIR, command:… or llm:…")
            made = words.put(name, made)
        else:
            raise FarmError(f"no raise '{each}'; write one of {', '.join((*RAISES, *WORDED))}")
        made["id"] += "-" + re.sub(r"[^a-z0-9]+", "-", f"{name}-{value}".lower()).strip("-")
    return made


def _with_fault(task: Raw) -> Raw:
    if task.get("faults"):
        raise FarmError(f"{task['id']} plans faults already; raise it in another way, or add a fault to its file")
    app, tool = _last_write(task)
    known = answers_of(content.load_app(app))
    kind = next((each for each in _HEALING if isinstance(known.get(each), FaultAnswer)), None)
    if kind is None:
        raise FarmError(f"{app} words no failure that passes; have none of {', '.join(_HEALING)}")
    task["faults"] = [{"app": app, "kind": kind, "tools": [tool], "attempts": [1], **_HEALING[kind]}]
    task["checkpoints"].append({"id": _free("recovered", task), "kind": "other", "predicate": "recovered", "app": app})
    task["calls_max"] += _RETRIES
    return task


def _last_write(task: Raw) -> tuple[str, str]:
    for step in reversed(task["oracle"]):
        for call in reversed(step["calls"]):
            app = content.load_app(call["app"])
            if any(tool.name == call["tool"] and app.tables_of(tool) for tool in app.app.tools):
                return call["app"], call["tool"]
    raise FarmError(f"{task['id']} writes nothing, so no failure of a writing call can be planned")


def draft_of(task: Raw, source: str, raises: list[str], proofs: Sequence[Mapping[str, Any]] = ()) -> Draft:
    """Return the draft of a raised task, with the proofs of the raises that were worded."""
    calls = [f"{call['app']}.{call['tool']}" for step in task["oracle"] for call in step["calls"]]
    told = {"family": "harder", "from": source, "raises": raises, "tools": calls}
    proof = {"raises": list(proofs)} if proofs else {}
    return Draft(task["id"], "draft", told, task, proof).to("draft", "harder", ", ".join(raises))


def _free(name: str, task: Raw) -> str:
    taken = {each["id"] for each in task["checkpoints"]}
    while name in taken:
        name += "-2"
    return name


def _pruned(task: Raw) -> Raw:
    if not task.pop("necessary", None):
        raise FarmError(f"{task['id']} tells no 'necessary' context that could be left out")
    return task


def _asked_by(task: Raw, person: str) -> Raw:
    world = load_world(task["world"])
    if person not in world.people:
        raise FarmError(f"no person '{person}' in world '{world.name}'; 'farm people {world.name}' lists them")
    if task.get("me", world.protagonist) == person:
        raise FarmError(f"{task['id']} is {person}'s already")
    return task | {"me": person}


# -- two tasks in one -------------------------------------------------------------------------------------------------

_LISTS = ("checkpoints", "oracle", "near_misses", "variants", "known_survivors", "allow", "faults", "people")
# What a task may say of its whole episode; two tasks in one say the same, or one of them nothing.
_WHOLE = ("now", "pace", "arrivals", "turns", "user", "world_people", "compared_by_name")


def _joined(first: Raw, second: Raw) -> Raw:
    for key in ("world", "me"):
        if first.get(key) != second.get(key):
            raise FarmError(f"{first['id']} and {second['id']} differ in '{key}', so nobody asks for both")
    if clash := [key for key in _WHOLE if first.get(key) != second.get(key)]:
        raise FarmError(f"{first['id']} and {second['id']} differ in '{clash[0]}'")
    second = _renamed(second, first)
    _extend_answers(first, second)
    made = first | {
        "apps": list(dict.fromkeys([*first["apps"], *second["apps"]])),
        "title": f"{first['title']}; {second['title'][:1].lower()}{second['title'][1:]}",
        "instruction": f"{first['instruction'].strip()}\n\n{second['instruction'].strip()}",
        "calls_max": first["calls_max"] + second["calls_max"],
        "lookups": {**first.get("lookups", {}), **second.get("lookups", {})},
    }
    for key in ("necessary", "unnecessary"):
        made[key] = [*first.get(key, ()), *second.get(key, ())]
    for key in _LISTS:
        made[key] = [*first.get(key, ()), *(each for each in second.get(key, ()) if each not in first.get(key, ()))]
    if len(made["apps"]) >= _JOINED_APPS_MIN:
        made["category"] = "cross/hodgepodge"
    return made


def _extend_answers(first: Raw, second: Raw) -> None:
    """Let every text of an answer go on with the other task's answer, in the order in which both are asked for."""
    own, other = first.get("oracle_answer", ""), second.get("oracle_answer", "")
    for task, before, after in ((first, "", other), (second, own, "")):
        for each in (*task.get("near_misses", ()), *task.get("variants", ())):
            if "answer" in each:
                each["answer"] = _both(before, each["answer"], after)
    for task, told in ((first, other), (second, own)):
        for point in task["checkpoints"]:
            only = point.get("answer", {}).get("only") if isinstance(point.get("answer"), dict) else None
            if isinstance(only, dict) and told:
                only["also"] = [*only.get("also", ()), told]
    if own and other:
        first["oracle_answer"] = _both(own, other)
    elif other:
        first["oracle_answer"] = other


def _both(*answers: str) -> str:
    return "\n".join(each for each in answers if each)


def _renamed(task: Raw, other: Raw) -> Raw:
    """Return a task whose checkpoints, lookups and results have other names than another task's."""
    lookups = {name for name in task.get("lookups", {}) if name in other.get("lookups", {})}
    results = _results(task) & _results(other)
    taken = {each["id"] for each in other["checkpoints"]}
    fields = {name for each in other["checkpoints"] for name in each.get("sheet", {})}
    made: Raw = _references(task, lookups, results)
    made["lookups"] = {f"{name}_2" if name in lookups else name: each for name, each in made.get("lookups", {}).items()}
    for call in (call for step in made["oracle"] for call in step["calls"]):
        if call.get("as") in results:
            call["as"] += "_2"
    for each in (*made.get("near_misses", ()), *made.get("variants", ())):
        if "change" in each:
            each["change"] = {f"{name}_2" if name in results else name: new for name, new in each["change"].items()}
        if "drop" in each:
            each["drop"] = [f"{name}_2" if name in results else name for name in each["drop"]]
    for point in made["checkpoints"]:
        point["id"] = f"{point['id']}-2" if point["id"] in taken else point["id"]
        if "sheet" in point:
            point["sheet"] = {f"{name}_2" if name in fields else name: each for name, each in point["sheet"].items()}
    return made


def _results(task: Raw) -> set[str]:
    return {call["as"] for step in task["oracle"] for call in step["calls"] if "as" in call}


def _references(value: Any, lookups: set[str], results: set[str]) -> Any:
    """Return a value in whose texts the references to some lookups and results have a 2 behind their names."""
    match value:
        case str():
            for name in lookups:
                value = re.sub(rf"\{{\{{{re.escape(name)}(?=\W)", f"{{{{{name}_2", value)
            for name in results:
                value = re.sub(rf"(?<!\{{)\{{{re.escape(name)}(?=[.\[}}~])", f"{{{name}_2", value)
            return value
        case list():
            return [_references(each, lookups, results) for each in value]
        case dict():
            return {key: _references(each, lookups, results) for key, each in value.items()}
        case _:
            return value
