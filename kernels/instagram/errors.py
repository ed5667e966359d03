"""Refusals: what the Graph API lists with a code and a subcode, and how Composio wraps it.

The class is named after what went wrong; ``code`` and ``subcode`` are the API's and the docstring its message.
(inferred) marks words that nobody recorded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from farm.appkit import Answer, Episode, VendorError, compact_json, composio_refusal, in_base

from .shortcodes import BASE64_URL

_CHECKED = "Invalid request data provided\n- "
# What a tool does in the words of its refusal, where these are not its name's.
_DOINGS = {"INSTAGRAM_SEND_TEXT_MESSAGE": "send message"}


class GraphError(VendorError):
    """An error of the API. ``title`` and ``advice`` are for people, and many errors have neither."""

    code: ClassVar[int]
    subcode: ClassVar[int | None] = None
    kind: ClassVar[str] = "OAuthException"
    status: ClassVar[int] = 400
    title: ClassVar[str | None] = None
    advice: ClassVar[str | None] = None

    def __init__(self, ep: Episode, **values: Any) -> None:
        super().__init__(**values)
        said: dict[str, Any] = {"message": self.message, "type": self.kind, "code": self.code}
        if self.subcode is not None:
            said["error_subcode"] = self.subcode
        if self.advice is not None:
            said |= {
                "is_transient": False,
                "error_user_title": self.title,
                "error_user_msg": self.advice.format(**values),
            }
        self.body = {"error": {**said, "fbtrace_id": _trace(ep, said)}}


def _trace(ep: Episode, said: Mapping[str, Any]) -> str:
    """Return what names a request at the vendor's, of the request that got this refusal."""
    request = (ep.writes, compact_json(said))
    return "A" + in_base(ep.hash("trace", *request) << 64 | ep.hash("trace+", *request), BASE64_URL, 22)


class UnknownContentType(VendorError):
    """Input should be 'photo', 'video', 'reel' or 'carousel_item' on parameter `content_type`"""

    # Composio's check of arguments, in the words of its dialect: the list of tools says text and names no words.
    code = "content_type"


class NoToken(GraphError):
    """Invalid OAuth access token - Cannot parse access token"""

    code = 190


class UnsupportedGet(GraphError):
    """Unsupported get request. Object with ID '{id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation"""  # noqa: E501 - the API's sentence

    code, subcode, kind = 100, 33, "IGApiException"


class UnsupportedPost(GraphError):
    """Unsupported post request. Object with ID '{id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation"""  # noqa: E501 - the API's sentence

    code, subcode, kind = 100, 33, "IGApiException"


class InvalidParameter(GraphError):
    """(#100) {problem}"""

    code = 100


# -- lists ------------------------------------------------------------------------------------------------------------


class InvalidCursor(GraphError):  # (inferred)
    """Invalid cursors values"""

    code = 100


# -- publishing -------------------------------------------------------------------------------------------------------


class ParameterRequired(GraphError):
    """The parameter {name} is required."""

    code, subcode = 100, None


class UnknownMediaType(GraphError):
    """Invalid parameter"""

    code, subcode = 100, 2207023
    title, advice = "Unknown media type", "The media type {media_type} is unknown."  # (inferred): the title


class VideoNoLonger(GraphError):  # (inferred)
    """Invalid parameter"""

    code, subcode = 100, 2207067
    title = "Media type is no longer supported"
    advice = "The VIDEO value for media_type is no longer supported. Use the REELS media type to publish a video."


class CarouselSize(GraphError):
    """Invalid parameter"""

    code, subcode = 100, 2207028
    title = "Carousel not supported"  # (inferred)
    advice = (
        "Your post won't work as a carousel. Carousels need at least 2 photos/videos and no more than 10 photos/videos."
    )


class CarouselChild(GraphError):  # (inferred)
    """Invalid parameter"""

    code, subcode = 100, None
    title, advice = "Invalid carousel item", "The container {id} was not created as an item of a carousel."


class CarouselItemType(GraphError):  # (inferred)
    """Invalid parameter"""

    code, subcode = 100, None
    title, advice = "Invalid carousel item", "Media of the type {media_type} cannot be an item of a carousel."


class TooManyTags(GraphError):
    """Invalid parameter"""

    code, subcode = 100, 2207040
    title, advice = "Too many tags", "Cannot use more than {tags_max} tags per created media."  # (inferred): the title


class CaptionTooLong(GraphError):
    """The caption was too long."""

    code, subcode, title = 36004, 2207010, "Caption too long"  # (inferred): the title
    advice = (
        "The submitted image's caption was {length} characters long. The maximum number of characters permitted for a"
        " caption is {length_max}. Please submit media with a shorter caption."
    )


class DownloadFailed(GraphError):
    """Only photo or video can be accepted as media type."""

    code, subcode = 9004, 2207052
    title = "Media download has failed. The media URI doesn't meet our requirements."
    advice = "The media could not be fetched from this URI: {url}."


class ImageFormat(GraphError):
    """The image format is not supported."""

    code, subcode, title = 36001, 2207005, "Invalid Image Format"
    advice = "The image format is not supported. Supported formats are JPEG."


class ImageSize(GraphError):
    """The image size is too large."""

    code, subcode, title = 36000, 2207004, "Image size too large"
    advice = "The image is too large to download. It should be less than 8 MiB."


class AspectRatio(GraphError):
    """The aspect ratio is not supported."""

    code, subcode, title = 36003, 2207009, "Invalid aspect ratio"
    advice = (
        "The submitted image with aspect ratio {ratio} cannot be published."
        " Please submit an image with a valid aspect ratio."
    )


class NotReady(GraphError):
    """Media ID is not available"""

    code, subcode, title = 9007, 2207027, "Cannot Publish"
    advice = "The media is not ready for publishing, please wait for a moment"


class NoContainer(GraphError):
    """The requested resource does not exist"""

    code, subcode, title = 24, 2207008, "Media Builder Not Found"  # (inferred): the title
    advice = "The media builder with creation id = {id} does not exist or has been expired."


class AlreadyPublished(GraphError):  # (inferred): that it is this one
    """The requested resource does not exist"""

    code, subcode, title = 24, 2207006, "Media Not Found"
    advice = "The media with {id} cannot be found"


class PublishingLimit(GraphError):
    """Application request limit reached"""

    code, subcode, title = 9, 2207042, "Publishing limit reached"  # (inferred): message and title
    advice = "You reached maximum number of posts that is allowed to be published by Content Publishing API."


# -- comments ---------------------------------------------------------------------------------------------------------


class CommentNotAllowed(GraphError):  # (inferred)
    """Invalid parameter"""

    code, subcode, title = 100, None, "Comment not allowed"
    advice = "{problem}"


# -- insights ---------------------------------------------------------------------------------------------------------


class MetricUnsupported(GraphError):
    """(#100) The Media Insights API does not support the {metric} metric for this media product type."""

    code = 100


class NotEnoughViewers(GraphError):
    """(#10) Not enough viewers for the media to show insights"""

    code = 10


class ImpressionsNoLonger(GraphError):
    """(#100) Starting from version 22 and above, the impressions metric is no longer supported for the queried user. Please refer to the documentation at https://developers.facebook.com/docs/instagram-api/reference/ig-user/insights for a list of supported metrics."""  # noqa: E501 - the API's sentence

    code = 100


# -- messages ---------------------------------------------------------------------------------------------------------


class NoSuchUser(GraphError):
    """The requested user cannot be found."""

    code, subcode, kind = 100, 2534014, "IGApiException"


class OutsideWindow(GraphError):
    """This message is sent outside of allowed window."""

    code, subcode, kind, status = 10, 2534022, "IGApiException", 403


class InvalidMessageId(GraphError):
    """Invalid parameter"""

    code, subcode, kind, title = 100, 2534002, "IGApiException", "Invalid Message ID"
    advice = "The message that is answered does not exist."  # (inferred)


class UploadFailed(GraphError):
    """(#100) Upload attachment failure."""

    code, subcode, kind = 100, 2018047, "IGApiException"  # (inferred): the kind


# -- the envelope -----------------------------------------------------------------------------------------------------


def answer(tool: str, error: VendorError) -> Answer:
    """Return Composio's envelope of a refusal: what it wanted to do, the status, and the API's body as it came."""
    if isinstance(error, UnknownContentType):
        return composio_refusal(f"{_CHECKED}{error.message}", {})
    assert isinstance(error, GraphError)
    doing = _DOINGS.get(tool) or tool.removeprefix("INSTAGRAM_").lower().replace("_", " ")
    told = f"Failed to {doing} (status {error.status}). Response: {compact_json(error.body)}"
    return composio_refusal(told, {"message": told, "status_code": error.status})
