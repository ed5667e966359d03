"""What a driver is given, by environment variables."""

import os

URL = os.environ["MCP_URL"]
HEADERS = {"Authorization": f"Bearer {os.environ['MCP_TOKEN']}"}
CONNECTION = {"url": URL, "headers": HEADERS}
BASE = os.environ["OPENAI_BASE_URL"]
KEY = os.environ["OPENAI_API_KEY"]
MODEL = "gpt-4o"
JOB = os.environ["JOB"]
