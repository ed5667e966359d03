"""Places, roads, lines, weather: what map services know, read from a reference that holds a gazetteer.

Every function here is pure: a gazetteer (``ep.reference``), a question, an answer. Points are in GCJ-02, the system
that maps of mainland China are drawn in; ``coordinates`` turns them into the others.
"""
