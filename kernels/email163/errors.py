"""Refusals: what the server says of what went wrong, without ``isError``, and where it says nothing any more.

Most are messages of the libraries it is built on, with ``错误: `` in front; a few it words itself.
"""

from __future__ import annotations

from typing import ClassVar

from farm.appkit import ProtocolError, VendorError


class Failed(VendorError):
    """Something was thrown. ``message`` is what the libraries say; the text puts the server's word before it."""

    code: ClassVar[str] = "failed"

    def __init__(self, message: str) -> None:
        super().__init__(f"错误: {message}")
        self.reason = message


class SetupFailed(VendorError):
    """❌ 邮箱设置失败: {reason}"""

    code = "setup_failed"


class UnknownProvider(VendorError):
    """The domain belongs to no provider of the table."""

    code = "unknown_provider"

    def __init__(self, email: str) -> None:
        hint = "支持的邮箱类型请使用 list_supported_providers 查看，或手动指定 provider 参数。"
        super().__init__(f"❌ 无法识别邮箱类型: {email}\n\n{hint}")


class NeverAnswers(ProtocolError):
    """Request timed out"""

    code = -32001


class Dies(ProtocolError):
    """Connection closed"""

    code = -32000
