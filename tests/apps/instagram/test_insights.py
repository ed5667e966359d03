"""Figures of posts and of the account."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.instagram.conftest import ACCOUNT, NOW_MS, PHOTO, REEL, STORY, Refusal

Data = Callable[..., Any]


def said(instagram: LocalApp, tool: str, **arguments: Any) -> str:
    with pytest.raises(VendorError) as refused:
        instagram.call(f"INSTAGRAM_{tool}", **arguments)
    return refused.value.message


@pytest.mark.fact("post-insights")
def test_a_figure_has_a_name_a_value_and_words(data: Data) -> None:
    assert data("GET_POST_INSIGHTS", ig_post_id=PHOTO, metric=["reach"]) == {
        "data": [
            {
                "name": "reach",
                "period": "lifetime",
                "values": [{"value": 120}],
                "title": "Reach",
                "description": "Total number of unique accounts that have seen the media object",
                "id": f"{PHOTO}/insights/reach/lifetime",
            }
        ]
    }


@pytest.mark.fact("post-insights")
def test_what_people_did_on_the_profile_is_a_figure_of_a_post(data: Data, instagram: LocalApp) -> None:
    instagram.episode.db.insert("media_insights", media_id=PHOTO, metric="profile_activity", value=11)

    (told,) = data("GET_POST_INSIGHTS", ig_post_id=PHOTO, metric=["profile_activity"])["data"]
    assert (told["title"], told["period"], told["values"]) == ("Profile activity", "lifetime", [{"value": 11}])


@pytest.mark.fact("sums")
def test_interactions_are_what_they_are_made_of(data: Data, instagram: LocalApp) -> None:
    names = ["likes", "comments", "saved", "shares", "total_interactions"]

    def values() -> dict[str, int]:
        told = data("GET_POST_INSIGHTS", ig_post_id=PHOTO, metric=names)["data"]
        return {each["name"]: each["values"][0]["value"] for each in told}

    assert values() == {"likes": 9, "comments": 3, "saved": 4, "shares": 2, "total_interactions": 18}
    instagram.call("INSTAGRAM_REPLY_TO_COMMENT", ig_comment_id="17850000000000003", message="Thanks")
    assert (values()["comments"], values()["total_interactions"]) == (4, 19)


@pytest.mark.fact("metrics")
def test_a_metric_that_there_is_not_is_told_with_all_that_there_are(instagram: LocalApp) -> None:
    told = said(instagram, "GET_POST_INSIGHTS", ig_post_id=PHOTO, metric=["reach", "fame"])

    # The same for media of every kind, as recorded in July 2026.
    assert told == (
        "(#100) metric[1] must be one of the following values: impressions, reach, replies, saved, likes, comments,"
        " shares, total_interactions, follows, profile_visits, profile_activity, navigation,"
        " ig_reels_video_view_total_time, ig_reels_avg_watch_time, views, reels_skip_rate, reposts, facebook_views,"
        " crossposted_views, total_views, total_likes, total_comments, link_clicks"
    )


@pytest.mark.fact("metrics")
@pytest.mark.parametrize(
    ("post", "arguments", "metric"),
    [
        (PHOTO, {}, "impressions"),
        (PHOTO, {"metric": []}, "impressions"),
        (PHOTO, {"metric": ["navigation"]}, "navigation"),
        (REEL, {"metric": ["reach", "profile_visits"]}, "profile_visits"),
        (STORY, {"metric": ["likes"]}, "likes"),
        (REEL, {"metric": ["impressions", "reach", "replies"]}, "impressions, replies"),
        (PHOTO, {"metric": ["reels_skip_rate"]}, "reels_skip_rate"),
        (REEL, {"metric": ["profile_activity"]}, "profile_activity"),
    ],
)
def test_a_metric_that_media_of_the_kind_have_not_is_named(
    instagram: LocalApp, post: str, arguments: dict[str, Any], metric: str
) -> None:
    told = said(instagram, "GET_POST_INSIGHTS", ig_post_id=post, **arguments)

    words = f"The Media Insights API does not support the {metric} metric for this media product type."
    assert told == f"(#100) {words}"


@pytest.mark.fact("story-insights")
def test_a_story_has_figures_for_a_day_and_from_five_viewers_on(instagram: LocalApp, data: Data) -> None:
    arguments = {"ig_post_id": STORY, "metric": ["reach", "replies"]}

    assert (
        said(instagram, "GET_POST_INSIGHTS", **arguments) == "(#10) Not enough viewers for the media to show insights"
    )
    instagram.episode.db.insert("media_insights", media_id=STORY, metric="reach", value=5)
    assert [each["values"] for each in data("GET_POST_INSIGHTS", **arguments)["data"]] == [
        [{"value": 5}],
        [{"value": 0}],
    ]
    instagram.episode.db.execute("UPDATE media SET created_ms = created_ms - 86400000 WHERE media_id = ?", STORY)
    assert data("GET_POST_INSIGHTS", **arguments) == {"data": []}


@pytest.mark.fact("account-insights")
def test_a_value_stands_for_each_day_that_has_ended(data: Data) -> None:
    told = data("GET_USER_INSIGHTS", metric=["reach"], since="2026-03-06", until="2026-03-09")

    (reach,) = told["data"]
    assert reach["values"] == [
        {"value": 0, "end_time": "2026-03-06T07:00:00+0000"},
        {"value": 66, "end_time": "2026-03-07T07:00:00+0000"},
        {"value": 41, "end_time": "2026-03-08T07:00:00+0000"},
    ]
    assert (reach["period"], reach["id"]) == ("day", f"{ACCOUNT}/insights/reach/day")
    assert set(told["paging"]) == {"previous", "next"}


@pytest.mark.fact("account-insights")
def test_the_last_two_days_are_told_where_nothing_is_said(data: Data) -> None:
    reach, followers = data("GET_USER_INSIGHTS")["data"]

    assert [each["value"] for each in reach["values"]] == [66, 41]
    assert (followers["name"], [each["value"] for each in followers["values"]]) == ("follower_count", [0, 3])
    (week,) = data("GET_USER_INSIGHTS", metric=["reach"], period="week", since="1772928000")["data"]
    assert [each["value"] for each in week["values"]] == [230]


@pytest.mark.fact("account-insights")
def test_a_longer_span_that_nobody_reckoned_is_no_zero_beside_days_with_figures(data: Data) -> None:
    asked = {"metric": ["reach"], "since": "2026-03-05", "until": "2026-03-09"}
    (day,) = data("GET_USER_INSIGHTS", **asked)["data"]
    (week,) = data("GET_USER_INSIGHTS", **asked, period="week")["data"]

    assert max(each["value"] for each in day["values"]) == 66
    # What a week reached is at least what its best day did.
    assert [each["value"] for each in week["values"]] == [230]


@pytest.mark.fact("totals")
def test_what_only_comes_as_a_total_is_refused(instagram: LocalApp) -> None:
    told = said(instagram, "GET_USER_INSIGHTS", metric=["reach", "views", "profile_views"])

    words = "The following metrics (views,profile_views) should be specified with parameter metric_type=total_value"
    assert told == f"(#100) {words}"


@pytest.mark.fact("metrics")
def test_a_metric_of_the_account_that_there_is_not_is_told_with_all_that_there_are(instagram: LocalApp) -> None:
    # As recorded in July 2026.
    assert said(instagram, "GET_USER_INSIGHTS", metric=["email_contacts"]) == (
        "(#100) metric[0] must be one of the following values: reach, follower_count, website_clicks, profile_views,"
        " online_followers, accounts_engaged, total_interactions, likes, comments, shares, saves, replies,"
        " engaged_audience_demographics, reached_audience_demographics, follower_demographics, follows_and_unfollows,"
        " profile_links_taps, views, threads_likes, threads_replies, reposts, quotes, threads_followers,"
        " threads_follower_demographics, content_views, threads_views, threads_clicks, threads_reposts"
    )


@pytest.mark.fact("totals")
def test_impressions_are_no_more(instagram: LocalApp) -> None:
    told = said(instagram, "GET_USER_INSIGHTS", metric=["impressions"])

    assert "the impressions metric is no longer supported" in told


@pytest.mark.fact("span")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"since": "2026-01-01", "until": "2026-02-01"}, "There cannot be more than 30 days (2592000 s) between"),
        ({"since": "2026-01-01", "until": "2026-01-05"}, "(follower_count) metric only supports querying data for"),
        ({"since": "soon"}, "param since is not a valid timestamp"),
        ({"until": "0001-01-01"}, "param until is not a valid timestamp"),
        ({"until": "9" * 400}, "param until is not a valid timestamp"),
        ({"since": "2026-03-08", "until": "2026-03-07"}, "since param should be earlier than until param"),
        ({"period": "fortnight"}, "period must be one of the following values: day, week, days_28, month"),
        ({"period": "week"}, "Incompatible metrics (follower_count) with period of (week)"),
    ],
)
def test_a_span_or_period_that_there_cannot_be_is_refused(
    instagram: LocalApp, refusal: Refusal, arguments: dict[str, Any], words: str
) -> None:
    assert refusal("GET_USER_INSIGHTS", **arguments) == (100, None, 400)
    assert said(instagram, "GET_USER_INSIGHTS", **arguments).startswith(f"(#100) {words}")


@pytest.mark.fact("account-insights")
def test_figures_of_the_account_are_told_whole_with_the_spans_beside(data: Data) -> None:
    asked = {"metric": ["reach", "follower_count"], "since": "2026-03-07", "until": "2026-03-09"}
    told = data("GET_USER_INSIGHTS", **asked, graph_api_version="v22.0")

    def values(*figures: int) -> list[dict[str, Any]]:
        ends = ("2026-03-07T07:00:00+0000", "2026-03-08T07:00:00+0000")
        return [{"value": value, "end_time": end} for value, end in zip(figures, ends, strict=True)]

    path = f"https://graph.instagram.com/v22.0/{ACCOUNT}/insights?metric=reach%2Cfollower_count&period=day"
    assert told == {
        "data": [
            {
                "name": "reach",
                "period": "day",
                "values": values(66, 41),
                "title": "Reach",
                "description": "Total number of unique accounts that have seen this profile",
                "id": f"{ACCOUNT}/insights/reach/day",
            },
            {
                "name": "follower_count",
                "period": "day",
                "values": values(0, 3),
                "title": "Follower Count",
                "description": "Total number of unique accounts following this profile",
                "id": f"{ACCOUNT}/insights/follower_count/day",
            },
        ],
        "paging": {
            # From the 5th to the 7th, and from the 9th to the 11th, in seconds.
            "previous": f"{path}&since=1772668800&until=1772841600",
            "next": f"{path}&since=1773014400&until=1773187200",
        },
    }


@pytest.mark.fact("account-insights")
@pytest.mark.parametrize(
    ("since", "until", "ends"),
    [
        # A day that ends at the first moment is not in the span, one that ends at the last is.
        ("2026-03-07T07:00:00Z", "2026-03-08T07:00:00Z", ["08"]),
        ("2026-03-07T06:59:59Z", "2026-03-08T06:59:59Z", ["07"]),
        ("1772866800", "1772953200", ["08"]),
        (" 2026-03-06 ", "2026-03-08", ["06", "07"]),
        ("2026-03-07T15:00:00+08:00", "2026-03-08T15:00:00+08:00", ["08"]),
        # What has not ended yet is not told.
        ("2026-03-08", "2026-03-20", ["08"]),
        ("2026-03-09", "2026-03-09", []),
    ],
)
def test_a_span_has_the_days_that_end_in_it(data: Data, since: str, until: str, ends: list[str]) -> None:
    (reach,) = data("GET_USER_INSIGHTS", metric=["reach"], since=since, until=until)["data"]

    assert [each["end_time"] for each in reach["values"]] == [f"2026-03-{day}T07:00:00+0000" for day in ends]


@pytest.mark.fact("span")
def test_a_span_of_thirty_days_is_not_too_long_and_one_end_is_enough(instagram: LocalApp, data: Data) -> None:
    (reach,) = data("GET_USER_INSIGHTS", metric=["reach"], since="2026-01-01", until="2026-01-31")["data"]
    assert len(reach["values"]) == 30
    longer = said(instagram, "GET_USER_INSIGHTS", metric=["reach"], since="2026-01-01", until="2026-01-31T00:00:01")
    assert longer == "(#100) There cannot be more than 30 days (2592000 s) between since and until"

    (until,) = data("GET_USER_INSIGHTS", metric=["reach"], until="2026-03-08")["data"]
    assert [each["value"] for each in until["values"]] == [0, 66]
    (since,) = data("GET_USER_INSIGHTS", metric=["reach"], since="2026-03-07T12:00:00")["data"]
    assert [each["value"] for each in since["values"]] == [41]


@pytest.mark.fact("span")
def test_followers_are_known_for_thirty_days_before_today(instagram: LocalApp, data: Data) -> None:
    asked = {"metric": ["follower_count"], "until": "2026-02-20"}
    # It is the 9th of March, 01:00.
    (told,) = data("GET_USER_INSIGHTS", **asked, since="2026-02-06T01:00:00")["data"]
    assert len(told["values"]) == 14

    words = "(follower_count) metric only supports querying data for the last 30 days excluding the current day"
    assert said(instagram, "GET_USER_INSIGHTS", **asked, since="2026-02-06T00:59:59") == f"(#100) {words}"
    (reach,) = data("GET_USER_INSIGHTS", metric=["reach"], until="2026-02-20", since="2026-02-05")["data"]
    assert len(reach["values"]) == 15


@pytest.mark.fact("metrics")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"period": "fortnight"}, "period must be one of the following values: day, week, days_28, month, lifetime,"
         " total_over_range"),
        ({"period": "week"}, "Incompatible metrics (follower_count) with period of (week)"),
        ({"period": "month"}, "Incompatible metrics (reach, follower_count) with period of (month)"),
        ({"metric": ["online_followers"]}, "Incompatible metrics (online_followers) with period of (day)"),
        ({"metric": ["reach", "fame", "views"]}, "metric[1] must be one of the following values: reach, "),
    ],
)  # fmt: skip
def test_metrics_and_periods_go_together(instagram: LocalApp, arguments: dict[str, Any], words: str) -> None:
    assert said(instagram, "GET_USER_INSIGHTS", **arguments).startswith(f"(#100) {words}")


@pytest.mark.fact("account-insights")
def test_each_metric_comes_in_its_periods_and_once(instagram: LocalApp, data: Data) -> None:
    own = {"ig_user_id": ACCOUNT, "date": "2026-03-07"}
    instagram.episode.db.insert("account_insights", metric="online_followers", period="lifetime", value=77, **own)
    instagram.episode.db.insert("account_insights", metric="reach", period="days_28", value=900, **own)

    (online,) = data("GET_USER_INSIGHTS", metric=["online_followers"], period="lifetime")["data"]
    assert online == {
        "name": "online_followers",
        "period": "lifetime",
        "values": [{"value": 77, "end_time": "2026-03-08T07:00:00+0000"}],
        "title": "Online Followers",
        "description": "Total number of this profile's followers that were online",
        "id": f"{ACCOUNT}/insights/online_followers/lifetime",
    }
    (reach,) = data("GET_USER_INSIGHTS", metric=["reach", "reach"], period="days_28", ig_user_id="me")["data"]
    assert reach["values"] == [{"value": 900, "end_time": "2026-03-08T07:00:00+0000"}]


@pytest.mark.fact("post-insights")
def test_what_a_post_a_reel_and_a_story_can_be_asked_for(instagram: LocalApp, data: Data) -> None:
    everywhere = ["reach", "shares", "total_interactions", "views"]
    feed = [*everywhere, "likes", "comments", "saved", "follows", "profile_visits", "profile_activity"]
    reel = [*everywhere, "likes", "comments", "saved", "ig_reels_avg_watch_time", "ig_reels_video_view_total_time"]
    story = [*everywhere, "replies", "navigation", "follows", "profile_visits", "profile_activity"]
    for metric, value in {"reach": 6, "replies": 2, "shares": 3, "saved": 50, "navigation": 7}.items():
        instagram.episode.db.insert("media_insights", media_id=STORY, metric=metric, value=value)

    def values(post: str, names: list[str]) -> list[int]:
        told = data("GET_POST_INSIGHTS", ig_post_id=post, metric=names)["data"]
        assert [each["name"] for each in told] == names
        assert {each["period"] for each in told} == {"lifetime"}
        return [each["values"][0]["value"] for each in told]

    assert values(PHOTO, feed) == [120, 2, 18, 300, 9, 3, 4, 1, 5, 0]
    assert values(REEL, reel) == [0] * 9
    # Of a story answers and shares are what was done with it.
    assert values(STORY, story) == [6, 3, 5, 0, 2, 7, 0, 0, 0]
    (once,) = data("GET_POST_INSIGHTS", ig_post_id=PHOTO, metric=["reach", "reach"])["data"]
    assert once["values"] == [{"value": 120}]


@pytest.mark.fact("story-insights")
def test_a_story_has_figures_until_24_hours_have_gone_by(instagram: LocalApp, data: Data) -> None:
    instagram.episode.db.insert("media_insights", media_id=STORY, metric="reach", value=5)
    for age_ms, count in ((86_399_999, 1), (86_400_000, 0)):
        instagram.episode.db.update("media", {"media_id": STORY}, created_ms=NOW_MS - age_ms)
        assert len(data("GET_POST_INSIGHTS", ig_post_id=STORY, metric=["reach"])["data"]) == count
    instagram.episode.db.update("media", {"media_id": STORY}, created_ms=NOW_MS)
    instagram.episode.db.update("media_insights", {"media_id": STORY}, value=4)
    told = said(instagram, "GET_POST_INSIGHTS", ig_post_id=STORY, metric=["reach"])
    assert told == "(#10) Not enough viewers for the media to show insights"
