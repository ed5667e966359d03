"""What people do in an app, as themselves: ``ACTS`` in ``kernels/<app>/acts.py``, beside the handlers.

An act is a function of the person's own episode and the row that they answer; keyword arguments are what a rule says.
It writes rows as the app does when a person uses it, and raises a ``VendorError`` where the app would refuse.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from farm.appkit.handler_api import Episode, Row

Act = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a rule may ask of a row besides its columns, such as the channel's name or whom a message is for.

    Attributes:
        names: the names.
        read: returns a value for each of them.
        texts: those of the names that are what somebody wrote in the row itself, in plain words.
    """

    names: tuple[str, ...]
    read: Callable[[Episode, Row], Mapping[str, Any]]
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """Where the names of places are, such as those of channels.

    Attributes:
        table, column: the rows that have them.
        prefix: what a rule writes before a name.
    """

    table: str
    column: str
    prefix: str = ""


@dataclass(frozen=True)
class Acts:
    """What people do in one app, and what they notice.

    Attributes:
        verbs: verb of a rule → the function that does it.
        around: table → what a rule may ask of its rows besides their columns.
        places: what surrounds a row, or an argument of a verb, by the name of a place → the names that there are.
    """

    verbs: Mapping[str, Act]
    around: Mapping[str, Surroundings] = field(default_factory=dict)
    places: Mapping[str, Place] = field(default_factory=dict)

    @cached_property
    def arguments(self) -> Mapping[str, Mapping[str, bool]]:
        """Verb → its arguments, and whether each is required."""
        found = {}
        for verb, act in self.verbs.items():
            given = inspect.signature(act).parameters.values()
            keywords = (each for each in given if each.kind is inspect.Parameter.KEYWORD_ONLY)
            found[verb] = {each.name: each.default is inspect.Parameter.empty for each in keywords}
        return found
