"""The farm as containers: one plan of what runs, written for Compose and Kubernetes, or started by the supervisor."""
