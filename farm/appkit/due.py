"""What an app's ``due.py`` is written with: what the app does by itself when a moment of a row comes due."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from farm.appkit.handler_api import Episode, Row


@dataclass(frozen=True)
class Deed:
    """What happens when a moment of a row has come; the row itself is deleted first.

    Attributes:
        owner: the column with the account for which it happens.
        do: does it for that account, and returns the table and the row that came of it. It raises the refusal with
            which the app answers whoever may not do so any more.
    """

    owner: str
    do: Callable[[Episode, Row], tuple[str, Row]]
