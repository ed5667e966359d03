"""Failures of a real server, provoked: successful calls made again with one thing wrong."""
