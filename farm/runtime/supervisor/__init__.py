"""Starts, monitors and ends the processes of a farm: one per app, and the gateway."""
