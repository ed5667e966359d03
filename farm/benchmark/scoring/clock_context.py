"""The context for comparing values: the world, its days, the current time, and the instructions."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from farm.benchmark.scoring.claims import Change
from farm.benchmark.scoring.reading_budget import ReadingBudget
from farm.context.template import World


@dataclass(frozen=True)
class ClockContext:
    """The world, the Monday from which day offsets count, and the time of a trial.

    Attributes:
        at: the simulated time; None for the world's start.
        said: the texts that instructed the agent.
        done: the kinds of changes that the trial made besides the text that is judged; None: unknown.
        samples: right texts for the task, in the words of its author.
        budget: the limits for reading texts; None for no limits, as for texts of the world.
    """

    world: World
    shift_days: int = 0
    at: datetime | None = None
    said: tuple[str, ...] = field(default=())
    done: frozenset[Change] | None = None
    samples: tuple[str, ...] = ()
    budget: ReadingBudget | None = None

    @property
    def now(self) -> datetime:
        """The simulated time in the world's zone."""
        moment = self.at or self.world.starts_at + timedelta(days=self.shift_days)
        return moment.astimezone(self.world.zone)

    def day(self, offset: str) -> date:
        """Return the day of an offset such as ``+17``."""
        return self.world.monday + timedelta(days=self.shift_days + int(offset))
