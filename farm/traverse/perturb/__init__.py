"""Provoke failures of a real server: repeat successful calls with one thing wrong."""
