"""What an app's generator provides besides rows: link targets for other apps, and scheduled rows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from farm.appkit.handler_api import Row


@dataclass(frozen=True)
class Link:
    """An object with an address that other apps may link to."""

    address: str
    title: str


@dataclass(frozen=True)
class ScheduledRow:
    """A row that is inserted into a live world after its start."""

    at: datetime
    row: Row
