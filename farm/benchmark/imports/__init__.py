"""Suites of other benchmarks, made into content folders of the farm."""
