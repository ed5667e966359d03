"""The gateway: creates, resets, snapshots, restores, forks and compares episodes, and routes agents to their apps."""
