"""Draws by weights: as often as the weights say, and always the same."""

from __future__ import annotations

from collections import Counter

import pytest

from farm.appkit.world_spec.draws import pick
from farm.world import Spec


def test_each_value_is_drawn_as_often_as_its_weight_says() -> None:
    spec = Spec.load("mini")

    drawn = Counter(spec.pick({"phone": 3, "desktop": 1, "never": 0}, "client", number) for number in range(2000))

    assert set(drawn) == {"phone", "desktop"}
    assert 0.7 < drawn["phone"] / 2000 < 0.8
    assert spec.pick({"a": 1, "b": 1}, "x") == spec.pick({"a": 1, "b": 1}, "x")


@pytest.mark.parametrize("weights", [{}, {"a": 0}, {"a": 2, "b": -1}])
def test_weights_that_leave_nothing_are_refused(weights: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="weights are whole numbers"):
        pick(lambda low, high, *parts: low, weights)
