"""The farm as containers: one plan of commands and ports, for Compose and Kubernetes files or the supervisor."""
