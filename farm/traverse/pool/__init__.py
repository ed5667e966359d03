"""The pool: recordings judged, divided into sets and marked for scoring."""
