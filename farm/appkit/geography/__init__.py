"""Places, roads, transit lines and weather for map services, computed from a reference that contains a gazetteer.

Every function is a pure function of a gazetteer (``ep.reference``) and its arguments. Points are in GCJ-02, the system
of maps of mainland China; ``coordinates`` converts them.
"""
