"""Makes the objects loaded before a fork immortal, so that the children's use of them copies no pages.

Every use of an object writes its reference count, and the first write to a shared page gives the process a copy of its
own. CPython 3.12 and newer count no references to immortal objects (PEP 683, written for such forks), but make only
their own objects immortal and have no call for others. So the counts of None, which is immortal, are written here.
Other interpreters are left as they are: their objects stay counted, and their pages are copied.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import sysconfig
from types import CodeType

# Those whose layout of an object this is: 64 bits, one lock, a count in the first word. Newer ones are untried.
IS_SUPPORTED = (
    sys.implementation.name == "cpython"
    and (3, 12) <= sys.version_info[:2] <= (3, 13)
    and sys.maxsize > 1 << 32
    and not sysconfig.get_config_var("Py_GIL_DISABLED")
    and not sysconfig.get_config_var("Py_TRACE_REFS")
)
_WORD_BYTES = 4
# All addresses of a process as one array of words; nothing is allocated for it.
_Memory = ctypes.c_uint32 * (1 << 45)


def make_immortal() -> None:
    """Make every object immortal that can be reached now; call it before the collector is frozen.

    None of them is freed again, not even when nothing refers to it any longer.
    """
    if not IS_SUPPORTED:
        return
    memory, immortal, count = _Memory.from_address(0), sys.getrefcount(None), sys.getrefcount
    found = gc.get_objects()
    while found:
        counted = []
        for each in found:
            if count(each) < immortal:
                memory[id(each) // _WORD_BYTES] = immortal
                counted.append(each)
        found = gc.get_referents(*counted)
        # The collector does not look into code.
        for code in (each for each in counted if type(each) is CodeType):
            found += (code.co_consts, code.co_names, code.co_linetable, code.co_exceptiontable, code.co_qualname)
