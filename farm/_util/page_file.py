"""One HTML file made of modules of ``web/`` and their data: no server, no network and no other file is needed."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from farm._util.json_io import dumps

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:const|function) (\w+))", re.MULTILINE)


def page_file(folder: Path, modules: Sequence[str], data: Any) -> bytes:
    """Return the file. Its policy allows its own script and style alone: no text in its data runs or loads anything.

    Args:
        folder: where the modules and ``style.css`` are.
        modules: names of modules, each behind those that it imports; the last one draws the page.
        data: what the page shows; the module finds it as JSON in the element ``saved``.
    """
    script = "\n".join(_module(name, (folder / f"{name}.js").read_text("utf-8")) for name in modules)
    style = (folder / "style.css").read_text("utf-8")
    policy = (
        f"default-src 'none'; script-src {_allowed(script)}; style-src {_allowed(style)}; "
        "style-src-attr 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types farm-mail"
    )
    # No text of a world or an agent may end the element that holds it.
    stored = dumps(data).decode().replace("<", "\\u003c")
    return "\n".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="referrer" content="no-referrer">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<title>mcp-farm</title>\n<link rel="icon" href="data:,">\n<style>{style}</style>\n</head>',
            '<body><div id="page"></div>',
            f'<script type="application/json" id="saved">{stored}</script>',
            f'<script type="module">{script}</script>\n</body>\n</html>\n',
        )
    ).encode()


def _module(name: str, text: str) -> str:
    """Return a module of the page as a function whose value is what it exports."""
    exports = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _IMPORT.sub(r"const {\1} = page_\2;\n", text))
    return f"const page_{name} = (() => {{\n{body}\nreturn {{ {exports} }};\n}})();"


def _allowed(text: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"
