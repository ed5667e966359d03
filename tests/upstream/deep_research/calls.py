"""The calls made to the real server and to ours: searches in rounds, and arguments that do not fit."""

from __future__ import annotations

from typing import Any

from tests.upstream.real import call


def _ask(question: Any, *keywords: Any, **more: Any) -> tuple[str, Any]:
    return call("deep-research", question=question, keywords=[*keywords], **more)


_KEYWORDS = (
    "peanut allergy on trips", "花生过敏 团建", "led flicker dimming", "调光 闪烁", "photobiological report IEC 62471",
    "Declaration of Conformity", "melatonin jet lag", "outdoor lessons myopia", "Guangyuan Optoelectronics", "光远",
    "明渡生活 门店", "Nordlicht Vertrieb Berlin", "auto-injector storage heat", "莫干山", "coffee cupping caffeine",
    "dentist numb hours", "tianmu seven summits", "AQL sampling", "8D report", "sunset lamp launches",
)  # fmt: skip

FOUND = [
    *(_ask(f"What of {keyword}?", keyword) for keyword in _KEYWORDS),
    _ask("Several", *_KEYWORDS[:5]),
    _ask("On", *_KEYWORDS[5:8], reference="## Earlier\nwhat was known", rounds=2),
    _ask("Beyond the last", "melatonin", rounds=99),
    _ask("Half", "melatonin", rounds=1.5),
    _ask("Below", rounds=-1),
    _ask("Nothing", "xyzzy", "melatonin", "xyzzy"),
    _ask("Twice", "melatonin", "melatonin"),
    _ask("`Ticks` and {braces}", "`melatonin` {x}"),
    _ask("A search that is refused", "", "melatonin", "  "),
    _ask("Too long", "a" * 401, "b" * 400),
    _ask("None", reference="only this"),
    _ask("", "melatonin"),
    _ask("换行\n第二行", "花生"),
    *(_ask("Finance", keyword, topic="finance") for keyword in ("smart lamp", "harborlight", "melatonin")),
    *(_ask("News", keyword, topic="news") for keyword in ("smart lamp", "myopia children", "creators")),
    call("deep-research", question="No keywords at all"),
    call("deep-research", question="Unknown keys", depth="advanced"),
    call("no-such-tool", question="Any name will do", keywords=["melatonin"]),
]

REFUSED = [
    call("deep-research"),
    call("deep-research", question=None),
    call("deep-research", question=7),
    call("deep-research", question=["q"], keywords="a"),
    _ask("q", 1),
    _ask("q", "a", None, {"b": 1}),
    _ask("q", *"abcdef"),
    _ask("q", *"abcdefg", topic="sports"),
    _ask("q", topic="sports"),
    _ask("q", topic=None),
    _ask("q", topic=3),
    _ask("q", rounds="1"),
    _ask("q", rounds=None),
    _ask("q", rounds=True),
    _ask("q", reference=4),
    _ask("q", reference=None),
    _ask(None, 1, topic="x", rounds="y", reference=False),
    call("deep-research", question="q", keywords={}),
    call("deep-research", question="q", keywords=None),
    call("another", topic="general"),
]
