"""What the assistant may be trusted with. The model says what each test lets it say; everything else is real: the
framework, MCP, and the servers' answers.
"""

import asyncio

import pytest

CHANNELS = {"tool": "slack_list_channels", "arguments": {"limit": 100}, "as": "channels"}
OPENING = "{channels.channels[name=opening].id}"
ASKED = "{history.messages[text~chairs].ts}"
READ_OPENING = [
    CHANNELS,
    {"tool": "slack_get_channel_history", "arguments": {"channel_id": OPENING, "limit": 20}, "as": "history"},
    {"tool": "slack_get_thread_replies", "arguments": {"channel_id": OPENING, "thread_ts": ASKED}, "as": "thread"},
]
CALENDAR = {"tool": "calendar_v4_calendar_primary", "as": "mine"}
MINE = "{mine.calendars[0].calendar.calendar_id}"
EVENTS = {"tool": "calendar_v4_calendarEvent_list", "arguments": {"path": {"calendar_id": MINE}}, "as": "events"}


def say(channel, text):
    return {"tool": "slack_post_message", "arguments": {"channel_id": channel, "text": text}}


def reply(text):
    return {"tool": "slack_reply_to_thread", "arguments": {"channel_id": OPENING, "thread_ts": ASKED, "text": text}}


def move(world, days, hour):
    """The call that puts the 1:1 on another day, for half an hour."""
    start = world.clock.now.replace(hour=hour, minute=0).timestamp() + days * 86400
    times = {"start_time": {"timestamp": f"{start:.0f}"}, "end_time": {"timestamp": f"{start + 1800:.0f}"}}
    path = {"calendar_id": MINE, "event_id": "{events.items[summary=1:1].event_id}"}
    return {"tool": "calendar_v4_calendarEvent_patch", "arguments": {"path": path, "data": times}}


async def test_who_asked_is_told_in_the_thread_and_nobody_else(mcp_farm, says, assistant):
    world = mcp_farm.world("mini", apps=["slack"])
    says(*READ_OPENING, reply("24, says Gus. They come on Wednesday."), "I have answered Ben.")

    await assistant(world, "Ben asks in #opening how many chairs we ordered. Answer him, and when they come.")

    (asked,) = world.rows("slack", "messages", user_id=world.people["ben"], text="How many chairs did we order?")
    told = {"text": {"claims": [{"number": 24}, {"date": "+2"}]}, "user_id": world.me}
    world.assert_changed("slack.messages", where={"thread_ts": asked["ts"]}, after=told, change="create")
    world.assert_only("slack.messages", "slack.subscriptions")  # who answers in a thread follows it
    assert world.calls.refused == []


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(reply("42, says Gus. They come on Wednesday."), id="another number"),
        pytest.param(reply("24, says Gus. They come on Tuesday."), id="another day"),
        pytest.param(say("#general", "24, says Gus. They come on Wednesday."), id="another place"),
    ],
)
async def test_an_answer_that_is_wrong_does_not_pass(mcp_farm, says, assistant, wrong):
    """Whoever writes assertions wants to see them fail."""
    world = mcp_farm.world("mini", apps=["slack"])
    says(*READ_OPENING, wrong, "I have answered Ben.")

    await assistant(world, "Ben asks in #opening how many chairs we ordered. Answer him, and when they come.")

    (asked,) = world.rows("slack", "messages", user_id=world.people["ben"], text="How many chairs did we order?")
    told = {"text": {"claims": [{"number": 24}, {"date": "+2"}]}}
    with pytest.raises(AssertionError, match="expected a row of slack"):
        world.assert_changed("slack.messages", where={"thread_ts": asked["ts"]}, after=told)


async def test_a_meeting_moves_in_one_app_and_is_confirmed_in_another(mcp_farm, says, assistant):
    world = mcp_farm.world("mini", apps=["lark", "slack"])
    ben = world.people["ben"]
    says(
        [CALENDAR, CHANNELS],  # two apps at once
        EVENTS,
        move(world, days=1, hour=15),
        say(ben.accounts["slack"], "Our 1:1 is tomorrow at 15:00 now."),
        "It is moved, and Ben knows.",
    )

    await assistant(world, "Ben wants our 1:1 tomorrow at the same time. Move it and tell him.")

    tomorrow = {"start_at": "{{rfc3339:+1 15:00}}", "end_at": "{{rfc3339:+1 15:30}}"}
    world.assert_changed("lark.events", where={"summary": "1:1"}, after=tomorrow, change="update")
    (direct,) = world.rows("slack", "channels", im_user_id=ben)
    told = {"text": {"claims": [{"date": "+1"}, {"clock": "15:00"}]}}
    world.assert_changed("slack.messages", where={"channel_id": direct["id"]}, after=told, change="create")
    world.assert_only("lark.events", "slack.messages")


async def test_a_question_changes_nothing(mcp_farm, says, assistant):
    world = mcp_farm.world("mini", apps=["lark", "slack", "rednote", "wecom"])  # every app with an account
    tasks = {"tool": "task_v2_task_list", "arguments": {"params": {"type": "my_tasks"}}, "as": "tasks"}
    says(tasks, "{tasks.items[summary~flour].summary}: until 17:00 today.")

    answer = await assistant(world, "What must I do today?")

    assert answer == "Order flour: until 17:00 today."
    assert world.calls.tools == ["task_v2_task_list"]
    world.assert_only()


async def test_what_the_app_refuses_is_told_and_not_done_elsewhere(mcp_farm, says, assistant):
    world = mcp_farm.world("mini", apps=["slack"])
    # The model is asked again only if the refusal has reached it in Slack's own words.
    answered = {"text": "#old-shop is archived, so I wrote nothing.", "when": "is_archived"}
    says(say("#old-shop", "We open on Friday!"), answered)

    answer = await assistant(world, "Write to #old-shop that we open on Friday.")

    assert "archived" in answer
    assert [call.tool for call in world.calls.refused] == ["slack_post_message"]
    world.assert_only()


@pytest.mark.parametrize(("person", "may"), [("ada", False), ("cleo", True)])
async def test_a_private_channel_is_for_its_members(mcp_farm, says, assistant, person, may):
    world = mcp_farm.world("mini", apps=["slack"], me=person)
    says(say("#kitchen", "The oven is mended."), "Done, if I may.")

    await assistant(world, "Write to #kitchen that the oven is mended.")

    assert len(world.calls.refused) == (0 if may else 1)
    if may:
        world.assert_changed("slack.messages", where={"user_id": world.me, "text": "The oven is mended."})
        world.assert_only("slack.messages")
    else:
        world.assert_only()


def take_tomorrow_at_three(world):
    """Tomorrow at three Ada is at the florist's."""
    mine = world.call("lark", "calendar_v4_calendar_primary")["calendars"][0]["calendar"]["calendar_id"]
    start = world.clock.now.replace(hour=15, minute=0).timestamp() + 86400
    times = {"start_time": {"timestamp": f"{start:.0f}"}, "end_time": {"timestamp": f"{start + 3600:.0f}"}}
    path, data = {"calendar_id": mine}, {"summary": "Florist", **times}
    world.call("lark", "calendar_v4_calendarEvent_create", path=path, data=data)


@pytest.mark.parametrize(("hour", "free"), [(14, True), (15, False), (16, True)])
async def test_a_meeting_moves_only_to_where_nothing_else_is(mcp_farm, says, assistant, hour, free):
    """Made once and copied for each case; what was made counts as given."""
    world = mcp_farm.prepared("florist", take_tomorrow_at_three, "mini", apps=["lark"])
    acts = (
        [move(world, days=1, hour=hour), "Done."]
        if free
        else ["You are at the {events.items[summary=Florist].summary}'s."]
    )
    says(CALENDAR, EVENTS, *acts)

    await assistant(world, f"Put my 1:1 on tomorrow at {hour}, unless there is something.")

    if free:
        world.assert_changed(
            "lark.events", where={"summary": "1:1"}, after={"start_at": f"{{{{rfc3339:+1 {hour}:00}}}}"}
        )
        world.assert_only("lark.events")
    else:
        world.assert_only()


@pytest.mark.parametrize(("hours", "word"), [(0, "on Wednesday"), (25, "tomorrow"), (49, "today")])
async def test_a_day_is_called_what_it_is_called_then(mcp_farm, says, assistant, hours, word):
    world = mcp_farm.world("mini", apps=["slack"])
    world.clock.advance(hours=hours)
    says(say("#opening", f"The chairs come {word}."), "Done.")

    await assistant(world, f"It is {world.clock.now:%A}. Write to #opening when the chairs come: on Wednesday.")

    world.assert_changed("slack.messages", after={"text": {"claims": [{"date": "+2"}]}}, change="create")


async def test_asking_twice_does_it_once(mcp_farm, says, assistant):
    world = mcp_farm.world("mini", apps=["slack"])
    request = "Answer Ben in #opening: how many chairs did we order?"
    says(*READ_OPENING, reply("24."), "Done.")
    await assistant(world, request)
    world.start_here()

    says(*READ_OPENING, {"text": "You have told him: {thread.messages[-1].text}", "when": "24."})
    answer = await assistant(world, request)

    assert answer == "You have told him: 24."
    world.assert_only()


async def test_an_assistant_that_goes_on_and_on_is_stopped(mcp_farm, says, assistant):
    world = mcp_farm.world("mini", apps=["slack"], calls_max=2)
    posts = [say("#general", text) for text in ("Hello", "Hello?", "Hello??")]
    says(*posts, {"text": "I was stopped.", "when": "limit of 2 calls"})

    await assistant(world, "Greet everybody until somebody answers.")

    world.assert_changed("slack.messages", change="create", count=2)


def test_two_requests_at_once_do_not_see_each_other(mcp_farm, says, assistant):
    """A test that is not async itself, and two worlds of it."""
    worlds = {place: mcp_farm.world("mini", apps=["slack"]) for place in ("#general", "#opening")}
    says(CHANNELS, say("#general", "Hello from me."), "Done.")

    async def both():
        await asyncio.gather(*(assistant(world, f"Greet {place}.") for place, world in worlds.items()))

    asyncio.run(both())

    for world in worlds.values():
        world.assert_changed("slack.messages", change="create", count=1)
        world.assert_only("slack.messages")
        assert world.calls.tools == ["slack_list_channels", "slack_post_message"]


@pytest.mark.farm_task("demo/slack-boards-rate")
async def test_a_task_of_a_suite(farm_task, says, assistant):
    """With its world, its words and its judgement: 38 of 600, where an early guess stands in another channel."""
    histories = [
        {
            "tool": "slack_get_channel_history",
            "arguments": {"channel_id": f"{{channels.channels[name={name}].id}}", "limit": 100},
        }
        for name in ("launch-ember", "supplier-quality")
    ]
    says(CHANNELS, histories, "38 of 600 boards flickered, 6.3 %; the limit is 1.0 %.")

    answer = await assistant(farm_task.world, f"{farm_task.system}\n\n{farm_task.instruction}")

    farm_task.assert_done(answer)
