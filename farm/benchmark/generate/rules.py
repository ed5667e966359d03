"""The five rules for a chain of units. Each returns the reason why a chain breaks it, or None."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from farm.benchmark.generate.chains import Chain
from farm.benchmark.generate.samplers.ground import Ground
from farm.benchmark.tasks import references_in

Rule = Callable[[Chain], str | None]
# So many texts must join what is told to where it is told.
_SUPPORT_MIN = 2
_ASKED_MAX = 2  # tasks for one fact
_STORY_MAX = 4  # tasks of a family for one story


class Rules:
    """The rules, for chains from one universe."""

    def __init__(self, ground: Ground, taken: Iterable[tuple[str, ...]] = ()) -> None:
        self._ground = ground
        self._taken = set(taken)
        self._asked = Counter[str]()
        self._said: set[tuple[str, frozenset[str]]] = set()
        self._stories = Counter[tuple[str, str]]()
        self._rules: tuple[Rule, ...] = (
            self.dependency,
            self.personalization,
            self.deduplication,
            self.coherence,
            self.realism,
        )

    def broken_by(self, chain: Chain) -> str | None:
        """Return ``rule: reason`` of the first rule that a chain breaks, or None."""
        for rule in self._rules:
            if (reason := rule(chain)) is not None:
                return f"{rule.__name__}: {reason}"
        return None

    def take(self, chain: Chain) -> None:
        """Let no later chain have the same tools."""
        self._taken.add(chain.tools)
        self._asked.update(each.value for each in chain.placeholders if not each.app)
        self._said.add(_blanks(chain))
        self._stories.update((chain.family, story) for story in _stories(chain))

    def dependency(self, chain: Chain) -> str | None:
        """An act is sampled with the units that find what it needs."""
        for act in chain.acts:
            unit = self._ground.view(act.call["app"]).units.units[act.call["tool"]]
            if unit.of_role("id") and not list(references_in(act.call["arguments"])):
                return f"{unit.tool} takes ids, and nothing in the chain finds them"
        return None

    def personalization(self, chain: Chain) -> str | None:
        """At least one tool does something else for another person."""
        units = [self._ground.view(call["app"]).units.units.get(call["tool"]) for call in chain.calls]
        if not any(unit is not None and unit.is_personal for unit in units):
            return "every tool does the same for anybody"
        return None

    def deduplication(self, chain: Chain) -> str | None:
        """No two chains have the same tools or ask the same, and no fact or story is asked for again and again."""
        if chain.tools in self._taken:
            return "another task has the same tools"
        if any(self._asked[each.value] >= _ASKED_MAX for each in chain.placeholders if not each.app):
            return "other tasks ask for the same fact"
        if _blanks(chain) in self._said:
            return "another task is the same by other tools"
        if any(self._stories[chain.family, story] >= _STORY_MAX for story in _stories(chain)):
            return "other tasks of the family are of the same story"
        return None

    def coherence(self, chain: Chain) -> str | None:
        """Every read is needed later, and the instruction tells nothing that is to be found."""
        said = chain.prototype.format(**{each.name: each.label for each in chain.placeholders})
        for blank in chain.placeholders:
            if blank.app and blank.value in said:
                return f"the instruction tells the id of {blank.name}"
        used = {name for call in chain.calls for name in references_in(call["arguments"])}
        last = {call["as"] for step in chain.reads for call in step} - used
        if len(last) > len({blank.value for blank in chain.placeholders}):
            return "a read that nothing needs"
        return None

    def realism(self, chain: Chain) -> str | None:
        """Somebody has spoken of the one where the other is."""
        return "nobody there ever spoke of it" if chain.support < _SUPPORT_MIN else None


def _blanks(chain: Chain) -> tuple[str, frozenset[str]]:
    return chain.family, frozenset(each.value for each in chain.placeholders)


def _stories(chain: Chain) -> set[str]:
    return {each.value.partition(".")[0] for each in chain.placeholders if not each.app}
