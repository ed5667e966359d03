"""A pytest plugin: a mutated function is called through two more frames, and the stack has room for them."""

import sys

sys.setrecursionlimit(3 * sys.getrecursionlimit())
