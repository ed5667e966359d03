"""Prints how far the discriminator agrees with the labelled answers: ``python -m tests.traverse.agreement``.

Of the held-back servers only figures are printed: who writes rules must not see their answers.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from farm.traverse.discriminate import judge_recording

LABELLED = Path(__file__).with_name("labelled")


@dataclass(frozen=True)
class Agreement:
    """How verdicts and labels meet: (label, verdict) → answers."""

    pairs: Counter[tuple[str, str]]

    @property
    def share(self) -> float:
        """The share of labelled answers judged as labelled."""
        return sum(count for (label, kind), count in self.pairs.items() if label == kind) / self.pairs.total()


def agreement(path: Path) -> Agreement:
    """Judge a file of labelled answers, server by server, and count."""
    servers: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for text in path.read_text("utf-8").splitlines():
        record = json.loads(text)
        servers[record["server"]].append(record)
    pairs: Counter[tuple[str, str]] = Counter()
    for lines in servers.values():
        for line, verdict in zip(lines, judge_recording(lines), strict=True):
            if "label" in line:
                pairs[line["label"], verdict.kind] += 1
    return Agreement(pairs)


if __name__ == "__main__":
    for name in ("open", "held"):
        found = agreement(LABELLED / f"{name}.jsonl")
        sys.stdout.write(f"{name}: {found.share:.1%} of {found.pairs.total()}\n")
        for (label, kind), count in sorted(found.pairs.items()):
            sys.stdout.write(f"  {label:>14} judged {kind:<14} {count}\n")
