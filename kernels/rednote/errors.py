"""Refusals. The server has no error codes: a refusal is one Chinese sentence, mostly behind the name of what failed.

The codes are ours, so that tests and reports can tell refusals apart; no agent sees them. The docstrings are the
server's sentences with the details in braces.
"""

from __future__ import annotations

from farm.appkit import VendorError


class RednoteError(VendorError):
    """A refusal: ``verb`` and 失败 in front of the sentence, unless the server sends the sentence alone."""

    def __init__(self, verb: str | None = None, /, **details: object) -> None:
        sentence = (type(self).__doc__ or "").format(**details)
        super().__init__(sentence if verb is None else f"{verb}失败: {sentence}", **details)


class Panic(RednoteError):
    """工具 {tool} 执行时发生内部错误: {detail}

    请查看服务端日志获取详细信息。"""

    code = "panic"

    def __init__(self, *, tool: str, detail: str) -> None:
        super().__init__(tool=tool, detail=detail)
        # The docstring is indented, the server's text is not.
        self.message = self.message.replace("\n    ", "\n")


class MissingArgument(RednoteError):
    """缺少{name}参数"""

    code = "missing_argument"


class MissingCommentId(RednoteError):
    """缺少 comment_id"""

    code = "missing_comment_id"


class MissingReplyTarget(RednoteError):
    """缺少 comment_id 或 user_id"""

    code = "missing_reply_target"


class MissingVideoPath(RednoteError):
    """缺少本地视频文件路径"""

    code = "missing_video_path"


class EmptyReply(RednoteError):
    """回复内容不能为空"""

    code = "empty_reply"


class UnknownProfileTab(RednoteError):
    """未知的主页 tab {tab}，可选：note / fav / liked"""

    code = "unknown_profile_tab"


class UnknownNotificationTab(RednoteError):
    """未知的通知分区 {tab}，可选：mentions / likes / connections"""

    code = "unknown_notification_tab"


class UnsupportedFilter(RednoteError):
    """{label} 不支持 {value}，可选：{allowed}"""

    code = "unsupported_filter"


class TitleTooLong(RednoteError):
    """标题长度超过限制"""

    code = "title_too_long"


class NoImages(RednoteError):
    """no valid images found"""

    code = "no_images"


class DownloadFailed(RednoteError):
    """下载图片失败 {url}: {reason}"""

    code = "download_failed"


class ImageMissing(RednoteError):
    """小红书上传图片失败: 图片文件不存在: {path}"""

    code = "image_missing"


class ImageUploadTimedOut(RednoteError):
    """小红书上传图片失败: 第{number}张图片上传超时(60s)，请检查网络连接和图片大小"""

    code = "image_upload_timed_out"


class VideoMissing(RednoteError):
    """视频文件不存在或不可访问: stat {path}: no such file or directory"""

    code = "video_missing"


class VideoUploadTimedOut(RednoteError):
    """小红书上传视频失败: 等待发布按钮可点击超时: 新版发布按钮不可点击"""

    code = "video_upload_timed_out"


class BadScheduleTime(RednoteError):
    """定时发布时间格式错误，请使用 ISO8601 格式: {reason}"""

    code = "bad_schedule_time"


class ScheduleTooSoon(RednoteError):
    """定时发布时间必须至少在1小时后，当前设置: {given}，最早可选: {bound}"""

    code = "schedule_too_soon"


class ScheduleTooLate(RednoteError):
    """定时发布时间不能超过14天，当前设置: {given}，最晚可选: {bound}"""

    code = "schedule_too_late"


class BodyTooLong(RednoteError):
    """小红书发布失败: 当前输入长度为{length}，最大长度为{length_max}"""

    code = "body_too_long"


class UnsupportedVisibility(RednoteError):
    """小红书发布失败: 设置可见范围失败: 不支持的可见范围: {visibility}，支持: 公开可见、仅自己可见、仅互关好友可见"""

    code = "unsupported_visibility"


class NoShop(RednoteError):
    """小红书发布失败: 绑定商品失败: 点击添加商品按钮失败: 未找到添加商品按钮，账号可能未开通商品功能"""

    code = "no_shop"


class ProductsNotFound(RednoteError):
    """小红书发布失败: 绑定商品失败: 部分商品未找到: {products}"""

    code = "products_not_found"


class PublishPageUnreachable(RednoteError):
    """导航到发布页面失败: context deadline exceeded"""

    code = "publish_page_unreachable"


class NoFeeds(RednoteError):
    """没有捕获到 feeds 数据"""

    code = "no_feeds"


class NoteInaccessible(RednoteError):
    """笔记不可访问: {reason}"""

    code = "note_inaccessible"


class ElementMissing(RednoteError):
    """{action}点击失败: 未找到交互元素 {selector}: context deadline exceeded"""

    code = "element_missing"


class StateUnchanged(RednoteError):
    """feed {feed_id} {action}失败：点击后状态始终未变为预期"""

    code = "state_unchanged"


class CommentBoxMissing(RednoteError):
    """未找到评论输入框，该帖子可能不支持评论或网页端不可访问: context deadline exceeded"""

    code = "comment_box_missing"


class CommentNotConfirmed(RednoteError):
    """评论未确认成功：提交后未在评论区出现（可能账号被限制或发送失败），feed: {feed_id}"""

    code = "comment_not_confirmed"


class CommentNotFound(RednoteError):
    """无法找到评论: 未找到评论 (commentID: {comment_id}, userID: {user_id})"""

    code = "comment_not_found"


class ReplyNotConfirmed(RednoteError):
    """回复未确认成功：提交后未在评论区出现（可能账号被限制或发送失败）"""

    code = "reply_not_confirmed"


class ProfileMissing(RednoteError):
    """user.userPageData.value not found in __INITIAL_STATE__"""

    code = "profile_missing"


class UnreadCountMissing(RednoteError):
    """页面状态里没有未读数，可能未登录或页面结构已变化"""

    code = "unread_count_missing"


class TabMissing(RednoteError):
    """页面状态里没有分区 {tab}，可能未登录或页面结构已变化"""

    code = "tab_missing"


class NotificationNotFound(RednoteError):
    """未找到评论 {comment_id}，它可能不在「评论和@」里或已被清理"""

    code = "notification_not_found"


class NotificationHidden(RednoteError):
    """该评论已删除或不可见，不能回复: {comment_id}"""

    code = "notification_hidden"


class NotificationReplyNotConfirmed(RednoteError):
    """回复未确认成功：发送后输入框仍未收起（可能被限制或发送失败）"""

    code = "notification_reply_not_confirmed"
