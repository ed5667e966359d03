"""The login: one account is signed in through a cookie file, and every other tool works as that account."""

from __future__ import annotations

from farm.appkit import Content, Episode, Image, Result
from farm.appkit.formats.times import go_format

from . import qrcodes

COOKIES_PATH = "cookies.json"
_SCAN_WITHIN_MS = 4 * 60 * 1000

_LOGGED_IN = "✅ 已登录\n用户名: {nickname}\n\n你可以使用其他功能了。"
_LOGGED_OUT = "❌ 未登录\n\n请使用 get_login_qrcode 工具获取二维码进行登录。"
_DELETED = "Cookies 已成功删除，登录状态已重置。\n\n删除的文件路径: {path}\n\n下次操作时，需要重新登录。"


def find_viewer(ep: Episode) -> str:
    """Return the id of the signed-in user, or an empty text for a visitor."""
    return str(ep.db.scalar("SELECT user_id FROM sessions WHERE user_id = ?", ep.me) or "")


def check_login_status(ep: Episode) -> Result:
    """Say whether an account is signed in, and as whom."""
    nickname = ep.db.scalar(
        "SELECT u.nickname FROM sessions s JOIN users u USING (user_id) WHERE s.user_id = ?",
        ep.me,
    )
    return _LOGGED_OUT if nickname is None else _LOGGED_IN.format(nickname=nickname)


def get_login_qrcode(ep: Episode) -> Result:
    """Return a picture to scan and until when, or that the account is signed in already.

    Not simulated: scanning. The picture carries no address; who is signed out stays so until the episode is reset.
    """
    if find_viewer(ep):
        return "你当前已处于登录状态"
    until = go_format(ep.now_ms + _SCAN_WITHIN_MS, "2006-01-02 15:04:05", ep.zone)
    picture = Image(qrcodes.picture(ep.hash("qrcode", ep.now_ms)), "image/png")
    return Content((f"请用小红书 App 在 {until} 前扫码登录 👇", picture))


def delete_cookies(ep: Episode) -> Result:
    """Sign the account out. It succeeds when nobody is signed in, too."""
    path = ep.db.scalar("SELECT cookies_path FROM sessions WHERE user_id = ?", ep.me)
    ep.db.delete("sessions", user_id=ep.me)
    return _DELETED.format(path=path or COOKIES_PATH)
