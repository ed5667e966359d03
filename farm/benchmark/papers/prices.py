"""Prices of models, from a dated file: what a trial's tokens cost."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from farm import content
from farm.errors import FarmError

FILE = "prices.toml"
_TOKENS = 1_000_000
# gpt-5-nano-2025-08-07, claude-sonnet-4-5@20250929, claude-sonnet-4-5-latest
_VERSION = re.compile(r"[-@:](?:\d{4}-\d\d-\d\d|\d{8}|latest)$")


@dataclass(frozen=True)
class Price:
    """The price of a model in US dollars per million tokens."""

    input: float
    output: float
    cached: float

    def of_usage(self, usage: Mapping[str, int]) -> float:
        """Return the price of a trial's tokens; the cached tokens of a prompt are part of it."""
        cached = min(usage.get("cached_tokens", 0), usage["prompt_tokens"])
        fresh = usage["prompt_tokens"] - cached
        return (fresh * self.input + cached * self.cached + usage["completion_tokens"] * self.output) / _TOKENS


@dataclass(frozen=True)
class Prices:
    """The prices of a date."""

    date: str
    models: Mapping[str, Price]

    def find(self, model: str) -> Price | None:
        """Return the price of a model by the name that it reports, without its vendor and the date of its version."""
        name = model.lower().rpartition("/")[2]
        return self.models.get(name) or self.models.get(_VERSION.sub("", name))

    def of_trial(self, trial: Mapping[str, Any]) -> float | None:
        """Return the price of a trial; None if tokens or a price are unknown, or models are not counted apart."""
        apart = trial.get("usage_by_model") or {}
        known = [(self.find(model), used) for model, used in apart.items()]
        if known:
            return (
                None
                if any(each is None for each, _ in known)
                else sum(each.of_usage(used) for each, used in known if each)
            )
        models: Sequence[str] = trial.get("models") or []
        price = self.find(models[0]) if len(models) == 1 else None
        return None if price is None or trial.get("usage") is None else price.of_usage(trial["usage"])


def load_prices(path: Path | None = None) -> Prices:
    """Return the prices of a file, or those of the farm.

    Raises:
        FarmError: the file cannot be read, or a price is missing.
    """
    found = path or next((each for root in content.roots() if (each := root.folder / "papers" / FILE).is_file()), None)
    if found is None:
        return Prices("", {})
    try:
        raw = tomllib.loads(found.read_text("utf-8"))
        models = {
            name.lower(): Price(float(each["input"]), float(each["output"]), float(each.get("cached", each["input"])))
            for name, each in raw["models"].items()
        }
        return Prices(str(raw["date"]), models)
    except OSError as problem:
        raise FarmError(f"{found} cannot be read ({problem.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise FarmError(f"{found} is not TOML: {problem}") from None
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        form = "a date and, of each model, input and output"
        raise FarmError(f"{found} is no list of prices: it needs {form} ({problem})") from None
