"""What the real toolkit, and the API behind it, does."""

from farm.testing import Fact

_DOCS = "https://developers.facebook.com/docs/instagram-platform"
_CODES = f"{_DOCS}/instagram-graph-api/reference/error-codes"
_RECORDED = "sns-sdks/python-facebook at c0aa73f4fbd0, testdata/instagram (answers of 2020 to 2023, Apache-2.0)"
_PUBLISHED = "error bodies that people published with their fbtrace_id, 2023 to 2026"
_CHECKER = "composio-core 0.7.22, applied to the documented parameters (derived)"
_SEEN = "ComposioHQ/composio issue 3604: a refused INSTAGRAM_SEND_TEXT_MESSAGE, June 2026"
_TOOLKIT = "the toolkit's documentation as of 2026, parameters and limits"

FACTS = {
    "arguments": Fact(_CHECKER, "Missing fields are one line, printed as a set; other findings follow, a line each."),
    "envelope": Fact(
        _SEEN,
        "JSON text: a refusal says 'Failed to … (status n). Response: …' in error and data.",
        differs="What stands for … is recorded of two tools; the others' is their name.",
    ),
    "unconnected": Fact(
        _DOCS, "Without a token every call is refused with code 190.", differs="The wording is inferred."
    ),
    "profile": Fact(_RECORDED, "An account shows its names, texts and counts; a text that is not filled in is absent."),
    "foreign": Fact(_PUBLISHED, "An object that is somebody else's or nobody's: code 100, subcode 33."),
    "media": Fact(_RECORDED, "Posts come newest first, with caption, thumbnail and children only where there are any."),
    "stories-apart": Fact(f"{_DOCS}/instagram-graph-api/reference/ig-user/media", "Stories are not among the media."),
    "paging": Fact(
        _RECORDED,
        "Cursors of both ends, next and previous where such a page is; comments tell only after and"
        " next, and nothing where all is shown.",
        differs="The addresses hold no token.",
    ),
    "container": Fact(_RECORDED, "A draft is an id; its status is a code and a sentence."),
    "processing": Fact(
        f"{_DOCS}/content-publishing",
        "A video is processed for a while before it can be published.",
        differs="After 30 seconds, or when it is asked for a second time, however soon.",
    ),
    "expiry": Fact(f"{_DOCS}/content-publishing", "A draft that is not published within 24 hours has expired."),
    "publishing": Fact(_RECORDED, "Publishing answers with the id of the post and leaves the draft PUBLISHED."),
    "not-ready": Fact(_PUBLISHED, "9007 / 2207027 'Media ID is not available', titled 'Cannot Publish'."),
    "no-container": Fact(
        _CODES,
        "24 / 2207008 where a draft does not exist or has expired, 24 / 2207006 where its media cannot be found.",
        differs="Which of the two a published draft gets is inferred.",
    ),
    "limit": Fact(
        f"{_DOCS}/content-publishing",
        "A hundred posts within 24 hours, an album counted once: 9 / 2207042; four hundred drafts.",
        differs="That too many drafts get the same code is inferred.",
    ),
    "caption": Fact(_CODES, "2,200 characters, 36004 / 2207010; 30 hashtags and 20 mentions, 100 / 2207040."),
    "download": Fact(_PUBLISHED, "An address without a picture or video: 9004 / 2207052."),
    "picture": Fact(_CODES, "JPEG only, below 8 MiB, from 4:5 to 1.91:1: 36001, 36000, 36003."),
    "carousel": Fact(
        _CODES,
        "Two to ten items, 100 / 2207028, each made as one.",
        differs="What an item that is none gets is inferred.",
    ),
    "media-type": Fact(_CODES, "An unknown type: 100 / 2207023. VIDEO is only for items of a carousel."),
    "content-type": Fact(
        _TOOLKIT,
        "The toolkit's word for a kind is photo, video, reel or carousel_item; Composio's check refuses others.",
        differs="That the tools of 2025 had the same check is inferred, as their list says nothing of the words.",
    ),
    "comments": Fact(
        _RECORDED, "Comments come newest first, fifty at most; of an answer only time, text and id are told."
    ),
    "reply": Fact(
        f"{_DOCS}/instagram-graph-api/reference/ig-comment/replies",
        "An answer to an answer stands under the comment that began it.",
    ),
    "reply-limits": Fact(
        f"{_DOCS}/instagram-graph-api/reference/ig-media/comments",
        "300 characters, 4 hashtags, one link, not in capitals alone.",
        differs="The code is inferred.",
    ),
    "post-insights": Fact(_RECORDED, "One figure a metric, for life, with title, description and an id."),
    "sums": Fact(f"{_DOCS}/reference/instagram-media/insights", "Interactions are likes, comments, saves and shares."),
    "metrics": Fact(
        _PUBLISHED,
        "An unknown metric is told with all there are; those that media of the kind have not are"
        " named; where none is asked for, the toolkit asks for impressions, which are refused.",
    ),
    "story-insights": Fact(
        f"{_DOCS}/reference/instagram-media/insights", "A story has figures for 24 hours, from five viewers on."
    ),
    "account-insights": Fact(_RECORDED, "A value a day, each with the end of its day, 07:00 UTC, and paging."),
    "totals": Fact(
        _PUBLISHED, "Metrics that only come as a total are refused without metric_type, which this toolkit cannot send."
    ),
    "span": Fact(_PUBLISHED, "At most 30 days between since and until; follower_count no further back than 30 days."),
    "conversations": Fact(
        f"{_DOCS}/instagram-api-with-instagram-login/conversations-api",
        "A list has ids and times, a conversation its two people and its messages.",
        differs="No recording was found.",
    ),
    "messages": Fact(
        f"{_DOCS}/instagram-api-with-instagram-login/conversations-api",
        "Newest first, with sender and receiver; one that is a picture has an empty text.",
        differs="No recording was found.",
    ),
    "window": Fact(_SEEN, "403, code 10, subcode 2534022 later than 24 hours after the other's last message."),
    "recipient": Fact(_PUBLISHED, "An id that the account knows nobody by: 100 / 2534014; a username is one."),
    "send-limits": Fact(
        f"{_DOCS}/instagram-api-with-instagram-login/messaging-api",
        "Texts up to 1000 bytes, pictures up to 8 MB.",
        differs="The wording of what is too long is that of Messenger.",
    ),
    "answered": Fact(
        _PUBLISHED, "A message that does not exist cannot be answered: 100 / 2534002 'Invalid Message ID'."
    ),
    "seen": Fact(_TOOLKIT, "Messages are marked as seen within the same 24 hours.", differs="The refusal is inferred."),
}
