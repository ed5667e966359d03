"""The suites' tasks, parsed once in a process, however many test files ask for them while they are collected."""

from __future__ import annotations

from functools import cache

from farm.benchmark.tasks import Suite, load_suite


@cache
def parsed_suite(name: str) -> Suite:
    """Return a suite, whose tasks nobody changes."""
    return load_suite(name)
