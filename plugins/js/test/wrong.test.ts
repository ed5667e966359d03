/** What an assertion must not pass over, and what must not be taken for nothing. */

import { type World } from "mcp-farm-test";
import { test } from "mcp-farm-test/vitest";
import { expect } from "vitest";

const APPS = { apps: ["lark", "slack"] };

async function post(world: World, text: string, channel = "#general"): Promise<void> {
  await world.call("slack", "slack_post_message", { channel_id: channel, text });
}

async function change(world: World, title: string, data: Record<string, unknown>): Promise<void> {
  const [event] = await world.rows("lark", "events", { summary: title });
  const path = { calendar_id: event?.["organizer_calendar_id"], event_id: event?.["event_id"] };
  await world.call("lark", "calendar_v4_calendarEvent_patch", { path, data });
}

test("a wrong row beside the right one is told", async ({ farm }) => {
  const world = await farm.world("mini", APPS);
  await post(world, "We ordered 24 chairs.", "#opening");
  await world.assertChanged("slack.messages", { after: { text: { claims: [{ number: 24 }] } } });
  await world.assertOnly("slack.messages");
  await post(world, "We ordered 12 chairs.");

  await world.assertChanged("slack.messages", { after: { text: { claims: [{ number: 24 }] } } });
  await expect(world.assertOnly("slack.messages")).rejects.toThrow("a row was created that nobody asked for");
  await world.assertChanged("slack.messages", { where: { text: "We ordered 12 chairs." } });
  await world.assertOnly("slack.messages");
});

test("a row that was made counts beside one that was changed", async ({ farm }) => {
  const world = await farm.world("mini", APPS);
  await change(world, "Dentist", { description: "at noon" });
  const { calendars } = await world.call<any>("lark", "calendar_v4_calendar_primary");
  await world.call("lark", "calendar_v4_calendarEvent_create", {
    path: { calendar_id: calendars[0].calendar.calendar_id },
    data: { summary: "Dentist", start_time: { timestamp: "1780412400" }, end_time: { timestamp: "1780414200" } },
  });

  await expect(world.assertChanged("lark.events", { where: { summary: "Dentist" } })).rejects.toThrow(
    "found 1 created, 1 updated",
  );
  await world.assertChanged("lark.events", { where: { summary: "Dentist" }, count: 2 });
  await world.assertOnly("lark.events");
});

test("what is done and undone, and what came before, is no secret of a copy", async ({ farm }) => {
  const prepare = (world: World): Promise<void> => post(world, "24 chairs.");
  const copy = await farm.prepared("posted", prepare, "mini", APPS);
  const called = { kind: "other", predicate: "called", app: "slack", tool: "slack_post_message" };
  for (const each of [copy, await copy.fork()]) {
    await expect(each.assertCheckpoints([called])).rejects.toThrow("expected");
    await expect(each.assertChanged("slack.messages")).rejects.toThrow("none changed");
    expect(await each.calls()).toHaveLength(0);
  }
  await change(copy, "Dentist", { summary: "Doctor" });
  await change(copy, "Doctor", { summary: "Dentist" });

  await expect(copy.assertOnly()).rejects.toThrow("changed and changed back");
  await expect(farm.prepared("posted", (world) => post(world, "12 chairs."), "mini", APPS)).rejects.toThrow(
    "was made by another function",
  );
});

test("what counts comes back with a snapshot", async ({ farm }) => {
  const world = await farm.world("mini", APPS);
  const begun = await world.snapshot();
  await post(world, "24 chairs.");
  await world.startHere();
  await world.restore(begun);
  await expect(post(world, "24 chairs.", "#old-shop")).rejects.toThrow("is_archived");

  expect((await world.calls()).refused).toHaveLength(1);
});

test("names and values that nothing has are told", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["rednote", "slack"] });
  const calls = await world.calls();

  expect(() => calls.forApp("slak")).toThrow("no app 'slak' in this world; it has rednote, slack");
  await expect(world.rows("slack", "emoji", { nme: "party" })).rejects.toThrow("no column 'nme' in slack.emoji");
  await expect(world.rows("slack", "channels", { is_private: "no" })).rejects.toThrow(
    /slack.channels.is_private holds numbers, such as [01], not 'no'/,
  );
  await expect(world.rows("rednote", "notes", { user_id: world.people["ben"] })).rejects.toThrow(
    "ben has no account in rednote",
  );
  await expect(world.rows("slack", "messages", { ts: new Date() })).rejects.toThrow("rows hold text, numbers and null");
  await expect(world.assertChanged("slack.messages", { where: { txt: 1 } })).rejects.toThrow("no column 'txt'");
  await expect(
    world.assertChanged("slack.messages", { where: undefined } as unknown as Record<string, never>),
  ).rejects.toThrow("where is undefined");
});

test("an argument that neither the tool declares nor a call has is told, with the nearest", async ({ farm }) => {
  const world = await farm.world("mini", APPS);
  const before = await world.calls();
  expect(() => before.assertNotCalled("slack_post_message", { channel: "#general" })).toThrow(
    "slack_post_message has no argument 'channel'; it has channel_id, text; did you mean 'channel_id'?",
  );
  expect(() => before.matching("slack.slack_post_message", { chanel_id: "" })).toThrow("did you mean 'channel_id'?");
  expect(() => before.assertNotCalled("calendar_v4_calendarEvent_create", { summary: "1:1" })).toThrow(
    "did you mean 'data.summary'?",
  );
  expect(() => before.assertNotCalled("calendar_v4_calendarEvent_create", { data: { sumary: "1:1" } })).toThrow(
    "has no argument 'data.sumary'",
  );
  expect(() => before.assertCalled("slack_post_message", {}, "1" as unknown as number)).toThrow("not '1'");
  before.assertNotCalled("calendar_v4_calendarEvent_create", { data: { summary: "1:1" } });
  await world.call("slack", "slack_post_message", { channel_id: "#general", text: "x", channel: "#general" });

  const after = await world.calls();
  after.assertCalled("slack_post_message", { channel: "#general" });
  after.assertNotCalled("slack_post_message", { channel: "#opening" });
});

test("a key of a person and a name of a channel are told apart from their ids", async ({ farm }) => {
  const world = await farm.world("mini", APPS);
  await post(world, "24 chairs.");
  const [general] = await world.rows("slack", "channels", { name: "general" });

  await expect(world.assertChanged("slack.messages", { where: { user_id: "ada" } })).rejects.toThrow(
    `'ada' is a person: give world.people["ada"] for the account`,
  );
  await expect(world.assertChanged("slack.messages", { after: { channel_id: "#general" } })).rejects.toThrow(
    `channel_id holds ids: that of '#general' is '${String(general?.["id"])}`,
  );
  await world.assertChanged("slack.messages", { where: { user_id: world.people["ada"], channel_id: general?.["id"] } });
});

test("a world that is closed says so", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["slack"] });
  await world.close();
  await world.close();

  expect(() => world.mcpConfig()).toThrow("this world is closed");
  await expect(world.assertOnly()).rejects.toThrow("this world is closed");
});

test("a menu and a person are taken", async ({ farm }) => {
  const { people } = await farm.world("mini", { apps: ["slack"] });
  const world = await farm.world("mini", { apps: ["slack"], me: people["ben"]!, menu: { slack: ["slack_get_users"] } });

  expect(world.me.key).toBe("ben");
  await expect(post(world, "24 chairs.")).rejects.toThrow("not found");
});
