"""Runs agents over suites: episodes, prompts, parallel trials, logs, summaries, and the audit of the tasks."""
