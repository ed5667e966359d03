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


MissingArgument = RednoteError.define("missing_argument", "缺少{name}参数")
MissingCommentId = RednoteError.define("missing_comment_id", "缺少 comment_id")
MissingReplyTarget = RednoteError.define("missing_reply_target", "缺少 comment_id 或 user_id")
MissingVideoPath = RednoteError.define("missing_video_path", "缺少本地视频文件路径")
EmptyReply = RednoteError.define("empty_reply", "回复内容不能为空")
UnknownProfileTab = RednoteError.define("unknown_profile_tab", "未知的主页 tab {tab}，可选：note / fav / liked")
UnknownNotificationTab = RednoteError.define(
    "unknown_notification_tab", "未知的通知分区 {tab}，可选：mentions / likes / connections"
)
UnsupportedFilter = RednoteError.define("unsupported_filter", "{label} 不支持 {value}，可选：{allowed}")
TitleTooLong = RednoteError.define("title_too_long", "标题长度超过限制")
NoImages = RednoteError.define("no_images", "no valid images found")
DownloadFailed = RednoteError.define("download_failed", "下载图片失败 {url}: {reason}")
NoEditor = RednoteError.define("no_editor", "小红书发布失败: 查找标题输入框失败: context deadline exceeded")
ImageUploadTimedOut = RednoteError.define(
    "image_upload_timed_out", "小红书上传图片失败: 第{number}张图片上传超时(60s)，请检查网络连接和图片大小"
)
VideoMissing = RednoteError.define("video_missing", "视频文件不存在或不可访问: stat {path}: no such file or directory")
VideoUploadTimedOut = RednoteError.define(
    "video_upload_timed_out", "小红书上传视频失败: 等待发布按钮可点击超时: 新版发布按钮不可点击"
)
BadScheduleTime = RednoteError.define("bad_schedule_time", "定时发布时间格式错误，请使用 ISO8601 格式: {reason}")
ScheduleTooSoon = RednoteError.define(
    "schedule_too_soon", "定时发布时间必须至少在1小时后，当前设置: {given}，最早可选: {bound}"
)
ScheduleTooLate = RednoteError.define(
    "schedule_too_late", "定时发布时间不能超过14天，当前设置: {given}，最晚可选: {bound}"
)
BodyTooLong = RednoteError.define("body_too_long", "小红书发布失败: 当前输入长度为{length}，最大长度为{length_max}")
UnsupportedVisibility = RednoteError.define(
    "unsupported_visibility",
    "小红书发布失败: 设置可见范围失败: 不支持的可见范围: {visibility}，支持: 公开可见、仅自己可见、仅互关好友可见",
)
NoShop = RednoteError.define(
    "no_shop", "小红书发布失败: 绑定商品失败: 点击添加商品按钮失败: 未找到添加商品按钮，账号可能未开通商品功能"
)
ProductsNotFound = RednoteError.define("products_not_found", "小红书发布失败: 绑定商品失败: 部分商品未找到: {products}")
PublishPageUnreachable = RednoteError.define(
    "publish_page_unreachable", "导航到发布页面失败: context deadline exceeded"
)
NoFeeds = RednoteError.define("no_feeds", "没有捕获到 feeds 数据")
NoteInaccessible = RednoteError.define("note_inaccessible", "笔记不可访问: {reason}")
ElementMissing = RednoteError.define(
    "element_missing", "{action}点击失败: 未找到交互元素 {selector}: context deadline exceeded"
)
StateUnchanged = RednoteError.define("state_unchanged", "feed {feed_id} {action}失败：点击后状态始终未变为预期")
CommentBoxMissing = RednoteError.define(
    "comment_box_missing", "未找到评论输入框，该帖子可能不支持评论或网页端不可访问: context deadline exceeded"
)
CommentNotConfirmed = RednoteError.define(
    "comment_not_confirmed", "评论未确认成功：提交后未在评论区出现（可能账号被限制或发送失败），feed: {feed_id}"
)
CommentNotFound = RednoteError.define(
    "comment_not_found", "无法找到评论: 未找到评论 (commentID: {comment_id}, userID: {user_id})"
)
ReplyNotConfirmed = RednoteError.define(
    "reply_not_confirmed", "回复未确认成功：提交后未在评论区出现（可能账号被限制或发送失败）"
)
ProfileMissing = RednoteError.define("profile_missing", "user.userPageData.value not found in __INITIAL_STATE__")
UnreadCountMissing = RednoteError.define("unread_count_missing", "页面状态里没有未读数，可能未登录或页面结构已变化")
TabMissing = RednoteError.define("tab_missing", "页面状态里没有分区 {tab}，可能未登录或页面结构已变化")
NotificationNotFound = RednoteError.define(
    "notification_not_found", "未找到评论 {comment_id}，它可能不在「评论和@」里或已被清理"
)
NotificationHidden = RednoteError.define("notification_hidden", "该评论已删除或不可见，不能回复: {comment_id}")
NotificationReplyNotConfirmed = RednoteError.define(
    "notification_reply_not_confirmed", "回复未确认成功：发送后输入框仍未收起（可能被限制或发送失败）"
)
