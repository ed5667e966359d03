"""Other scripts made from a task's oracle: wrong ones, as a person would get it wrong, and ones that are as right.

Each attacker is a small function that makes one kind of script. ``steps`` and ``targets`` need the task's file alone;
``state`` and the texts see how the oracle went (``scene``).
"""

from __future__ import annotations

from collections.abc import Iterator

from farm.runner.attackers.right_texts import RIGHT_TEXTS
from farm.runner.attackers.scene import JudgedText, Scene
from farm.runner.attackers.script import Script
from farm.runner.attackers.state import STATE
from farm.runner.attackers.steps import right_ways, wrong_ways
from farm.runner.attackers.undone import there_and_back
from farm.runner.attackers.wrong_texts import WHOLE, WRONG_TEXTS, TextAttacker

__all__ = ["Scene", "Script", "attacks", "kind_of", "rewordings", "right_ways", "wrong_ways"]


def attacks(scene: Scene) -> Iterator[Script]:
    """Yield scripts that must not earn full marks, or must do damage, made from how the oracle went."""
    for attacker in (*STATE, there_and_back):
        yield from attacker(scene)
    for judged in scene.texts:
        for each in WRONG_TEXTS:
            yield from _said(scene, each, judged, is_right=False)
        for each in WHOLE:
            for why, text in each(judged):
                yield scene.script(kind_of(each), f"{judged.name}: {why}", judged, text, is_right=False, is_whole=True)


def rewordings(scene: Scene) -> Iterator[Script]:
    """Yield scripts that say the same in other words."""
    if not scene.task.exact_texts:
        for judged in scene.texts:
            for each in RIGHT_TEXTS:
                yield from _said(scene, each, judged, is_right=True)


def kind_of(attacker: TextAttacker) -> str:
    """Return what the scripts of an attacker are called."""
    return attacker.__name__.replace("_", "-")


def _said(scene: Scene, attacker: TextAttacker, judged: JudgedText, *, is_right: bool) -> Iterator[Script]:
    for why, text in attacker(judged):
        if text != judged.text:
            yield scene.script(kind_of(attacker), f"{judged.name}: {why}", judged, text, is_right=is_right)
