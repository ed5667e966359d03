"""Measures every performance figure beside its floor and baseline, in alternating rounds of one run."""
