"""MCPAgentBench: its mocks become one app without state, its tasks a suite. Nothing of it is part of the farm.

``mocks`` reads its servers, ``translate`` turns a mock into a handler by rules, ``gold`` reads its tasks, and
``write`` puts a content folder together.
"""
