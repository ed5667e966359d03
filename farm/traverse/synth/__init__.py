"""Write an app of the farm from a pool of recorded calls.

Rules derive what the pool decides: the tool list, the dialect, the envelope, a draft of the schema, provenance, tests.
A model writes the rest: the tables and the handlers. Its code runs behind a fence, its answers are compared with the
recorded ones, and disagreements go back to it.
"""
