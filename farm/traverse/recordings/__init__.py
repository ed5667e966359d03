"""Recorded calls of a real server, and the folder to which a recorder writes them."""
