"""Refusals: what WeCom answers with an errcode, and what Go says of a file it cannot read.

WeCom's class is its errcode and the docstring its errmsg; the number itself never reaches an agent. (inferred) marks
words that nobody recorded.
"""

from __future__ import annotations

from farm.appkit import Episode, VendorError

# Where the server's request comes from: an address that is nobody's (RFC 5737).
_IP = "203.0.113.9"


class ApiError(VendorError):
    """WeCom refuses. Behind every errmsg stand a hint of 25 digits, the caller's address and a page about the code."""

    def __init__(self, ep: Episode, **details: object) -> None:
        said = (type(self).__doc__ or "").format(**details)
        hint = f"{ep.now_ms // 1000}{ep.new_id('hint')}"
        page = f"https://open.work.weixin.qq.com/devtool/query?e={self.code}"
        super().__init__(f"WeCom API error: {said}, hint: [{hint}], from ip: {_IP}, more info at {page}", **details)


class InvalidWebhookUrl(ApiError):
    """invalid webhook url"""

    code = 93000


class ApiFreqOutOfLimit(ApiError):
    """api freq out of limit"""

    code = 45009


class EmptyContent(ApiError):
    """empty content"""

    code = 44004


class InvalidRequestParameter(ApiError):
    """{problem}. invalid Request Parameter"""

    code = 40058


class InvalidMediaType(ApiError):
    """invalid media type"""

    code = 40004


class InvalidFileSize(ApiError):
    """invalid file size"""

    code = 40006


class InvalidImageSize(ApiError):
    """invalid image size"""

    code = 40009


class MediaFileMd5DoesNotMatch(ApiError):  # (inferred)
    """media file MD5 does not match"""

    code = 301019


class FileError(VendorError):
    """The server cannot read a file. ``path`` is as the caller wrote it."""


class NoSuchFile(FileError):
    """open {path}: no such file or directory"""

    code = "ENOENT"


class NotAPath(FileError):
    """open {path}: invalid argument"""

    code = "EINVAL"


class NameTooLong(FileError):
    """open {path}: file name too long"""

    code = "ENAMETOOLONG"


class NotADirectory(FileError):
    """open {path}: not a directory"""

    code = "ENOTDIR"


class IsADirectory(FileError):
    """read {path}: is a directory"""

    code = "EISDIR"
