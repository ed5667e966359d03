"""Runs the real server, named as the argument, with Tushare's address turned to the one in STAND_IN."""

from __future__ import annotations

import os
import runpy
import sys

from tushare.pro.client import DataApi  # type: ignore[import-not-found] # in the real server's environment alone

# Its address is a private constant of the client; the server's own code stays as it is.
DataApi._DataApi__http_url = os.environ["STAND_IN"]
runpy.run_path(sys.argv[1], run_name="__main__")
