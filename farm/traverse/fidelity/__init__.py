"""Fidelity of an app: replay recorded calls, compare the answers with the real server's, and report."""
