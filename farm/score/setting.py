"""What comparing needs to know beside the values: the world, its days, the moment, and what was asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from farm.context.template import World


@dataclass(frozen=True)
class Setting:
    """The world, the Monday that offsets of days count from, and where a trial stands.

    Attributes:
        at: where the simulated clock stands; None: at the world's start.
        said: the texts that asked the agent for what it wrote.
    """

    world: World
    shift_days: int = 0
    at: datetime | None = None
    said: tuple[str, ...] = field(default=())

    @property
    def now(self) -> datetime:
        """The simulated time in the world's zone."""
        moment = self.at or self.world.starts_at + timedelta(days=self.shift_days)
        return moment.astimezone(self.world.zone)

    def day(self, offset: str) -> date:
        """Return the day ``+17`` stands for."""
        return self.world.monday + timedelta(days=self.shift_days + int(offset))
