"""Tools that say something before they answer."""

from typing import Any

import anyio
from mcp.server.context import ServerRequestContext
from mcp_types import LoggingMessageNotification, LoggingMessageNotificationParams

from .contents import text

RequestContext = ServerRequestContext[Any, Any]
_PAUSE_S = 0.05
_LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel"


def _wants_log(context: RequestContext) -> bool:
    """From 2026 on a request asks for log messages itself; before, they were sent to everyone."""
    meta = (context.params or {}).get("_meta") or {}
    return context.protocol_version < "2026" or _LOG_LEVEL_KEY in meta


async def with_logging(context: RequestContext) -> dict[str, Any]:
    """Send three log messages with pauses between them."""
    for turn, words in enumerate(("Tool execution started", "Tool processing data", "Tool execution completed")):
        if turn:
            await anyio.sleep(_PAUSE_S)
        if _wants_log(context):
            message = LoggingMessageNotificationParams(level="info", data=words)
            notification = LoggingMessageNotification(params=message)
            await context.session.send_notification(notification, related_request_id=context.request_id)
    return {"content": [text("Tool with logging executed successfully")]}


async def with_progress(context: RequestContext) -> dict[str, Any]:
    """Report progress, to whoever asked for it, with pauses between."""
    for progress in (0, 50, 100):
        if progress:
            await anyio.sleep(_PAUSE_S)
        await context.session.report_progress(progress, 100)
    return {"content": [text("Tool with progress executed successfully")]}
