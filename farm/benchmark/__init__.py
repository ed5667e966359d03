"""Tasks, the agents that play them, the runner, the scores, and the audit that proves the tasks."""
