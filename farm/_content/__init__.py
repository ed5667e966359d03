"""Where the content that ships with mcp-farm is: inside an installed wheel, or the checkout it is developed in."""

from pathlib import Path

_package = Path(__file__).resolve().parent
_checkout = _package.parents[1]
ROOT = _package if (_package / "kernels").is_dir() else _checkout
__path__ = [str(ROOT)]
