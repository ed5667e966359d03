"""The page's own files, which are no secret: everything that a farm knows is behind the control API."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from farm.errors import NotFoundError

FOLDER = Path(__file__).resolve().parents[2] / "web"
START = "index.html"
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
}
# No inline script or event handler, nothing from elsewhere, and no text becomes HTML except in the frames of mails,
# which are sandboxed without scripts. Styles of elements are allowed, for mails.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types farm-mail",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}


def names() -> list[str]:
    """Return the names of the page's files, relative to their folder, sorted."""
    return sorted(
        path.relative_to(FOLDER).as_posix()
        for path in FOLDER.rglob("*")
        if path.suffix in _TYPES and path.name != "page.html"
    )


async def serve(request: Request) -> Response:
    """Answer with one of the page's files.

    Raises:
        NotFoundError: there is no such file.
    """
    name = request.path_params.get("name", START)
    if name not in names():
        raise NotFoundError(f"nothing at {request.url.path}; the page is at /")
    body = (FOLDER / name).read_bytes()
    tag = f'"{sha256(body).hexdigest()[:16]}"'
    headers = {**HEADERS, "etag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(None, 304, headers)
    return Response(body, 200, headers, media_type=_TYPES[Path(name).suffix])
