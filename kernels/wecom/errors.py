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


InvalidWebhookUrl = ApiError.define(93000, "invalid webhook url")
ApiFreqOutOfLimit = ApiError.define(45009, "api freq out of limit")
EmptyContent = ApiError.define(44004, "empty content")
InvalidRequestParameter = ApiError.define(40058, "{problem}. invalid Request Parameter")
InvalidMediaType = ApiError.define(40004, "invalid media type")
InvalidFileSize = ApiError.define(40006, "invalid file size")
InvalidImageSize = ApiError.define(40009, "invalid image size")


class MediaFileMd5DoesNotMatch(ApiError):  # (inferred)
    """media file MD5 does not match"""

    code = 301019


class FileError(VendorError):
    """The server cannot read a file. ``path`` is as the caller wrote it."""


NoSuchFile = FileError.define("ENOENT", "open {path}: no such file or directory")
NotAPath = FileError.define("EINVAL", "open {path}: invalid argument")
NameTooLong = FileError.define("ENAMETOOLONG", "open {path}: file name too long")
NotADirectory = FileError.define("ENOTDIR", "open {path}: not a directory")
IsADirectory = FileError.define("EISDIR", "read {path}: is a directory")
