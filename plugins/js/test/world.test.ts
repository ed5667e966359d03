/** What tests do with worlds: the counterpart of tests/plugin/project.py. */

import { AssertionError } from "node:assert";
import { inspect } from "node:util";

import { ToolRefusedError, type World } from "mcp-farm-test";
import { fixtures, test, type FarmFixtures } from "mcp-farm-test/vitest";
import { describe, expect, test as base } from "vitest";

const HOUR_MS = 60 * 60 * 1000;

async function post(world: World, text: string): Promise<void> {
  await world.call("slack", "slack_post_message", { channel_id: "#general", text });
}

async function move(world: World, hours: number): Promise<void> {
  const [event] = await world.rows("lark", "events", { summary: "1:1" });
  const start_s = Math.floor((await world.clock.now()).getTime() / 1000) + hours * 3600;
  await world.call("lark", "calendar_v4_calendarEvent_patch", {
    path: { calendar_id: event?.["organizer_calendar_id"], event_id: event?.["event_id"] },
    data: { start_time: { timestamp: `${start_s}` }, end_time: { timestamp: `${start_s + 1800}` } },
  });
}

test("an agent moves the meeting", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["lark", "slack"], seed: 1 });
  await move(world, 30);

  await world.assertChanged("lark.events", { where: { summary: "1:1" }, after: { start_at: "{{rfc3339:+1 15:00}}" } });
  await world.assertChanged("lark.events", { after: { start_at: new Date("2026-06-02T15:00Z") }, change: "update" });
  await world.assertOnly("lark.events");
  const calls = await world.calls();
  expect(calls.refused).toEqual([]);
  expect(calls.tools).toEqual(["calendar_v4_calendarEvent_patch"]);
  await expect(world.assertChanged("lark.events", { after: { start_at: new Date("2026-06-02T16:00Z") } })).rejects.toThrow(
    AssertionError,
  );
});

test("worlds of one test are apart", async ({ farm }) => {
  const [one, other] = await Promise.all([
    farm.world("mini", { apps: ["slack"] }),
    farm.world("mini", { apps: ["slack"] }),
  ]);
  await post(one, "hi");

  await one.assertChanged("messages", { where: { text: "hi" } });
  await other.assertOnly();
});

test("what an app refuses is thrown in the vendor's words, and in the trace", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["slack", "lark"] });

  const refused = await world
    .call("slack", "slack_post_message", { channel_id: "C0000000000", text: "hello" })
    .catch((problem: unknown) => problem);
  await expect(world.call("lark", "no_such_tool")).rejects.toThrow(ToolRefusedError);

  expect(refused).toBeInstanceOf(ToolRefusedError);
  expect(refused).toMatchObject({ app: "slack", tool: "slack_post_message", text: /channel_not_found/ });
  expect((await world.calls()).refused.map((call) => [call.app, call.tool])).toEqual([
    ["slack", "slack_post_message"],
    ["lark", "no_such_tool"],
  ]);
  await world.assertOnly();
});

test("calls at once are each judged by themselves", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["slack"] });
  const channels = ["#general", "C0000000000", "#opening", "C0000000001"];

  const ends = await Promise.allSettled(
    channels.map((channel_id) => world.call("slack", "slack_post_message", { channel_id, text: "hi" })),
  );

  expect(ends.map((end) => end.status)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected"]);
});

test("people have names and accounts, and stand for their accounts", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["slack", "lark"] });
  const { ben } = world.people;

  expect([world.me.key, world.me.name]).toEqual(["ada", "Ada Ames"]);
  expect(Object.keys(world.people).sort().join(" ")).toBe("ada ben cleo dan eve finn gus hana ivy jon kim leo");
  const user = await world.call<{ profile: { real_name: string } }>("slack", "slack_get_user_profile", {
    user_id: ben?.accounts["slack"],
  });
  expect(user.profile.real_name).toBe("Ben Brook");
  expect((await world.rows("lark", "users", { person: "ben" }))[0]?.["open_id"]).toBe(ben?.accounts["lark"]);
  expect(await world.rows("slack", "users", { id: ben })).toHaveLength(1);
  const inLark = await farm.world("mini", { apps: ["lark"] });
  expect(inLark.people["ben"]?.accounts).toEqual({ lark: ben?.accounts["lark"] });
  await world.assertOnly();
});

test("a person among the values of an assertion is their account", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["slack"], me: "ben" });
  await post(world, "hello");

  expect(world.me.key).toBe("ben");
  await world.assertChanged("slack.messages", { where: { user_id: world.me } });
  await expect(world.assertChanged("slack.messages", { where: { user_id: world.people["ada"] } })).rejects.toThrow(
    AssertionError,
  );
});

test("the clock stands still until somebody moves it", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["slack", "lark"] });
  const start = await world.clock.now();

  expect(await world.clock.text()).toBe("2026-06-01T09:00:00.000+00:00");
  expect((await world.clock.advance({ days: 1, hours: 2 })).getTime() - start.getTime()).toBe(26 * HOUR_MS);
  expect((await world.clock.advance({ weeks: 0.5 })).getTime() - start.getTime()).toBe(110 * HOUR_MS);
  await world.clock.advanceTo("2026-06-06T10:00:00+00:00");
  expect(await world.clock.advanceTo(new Date("2026-06-06T11:00Z"))).toEqual(await world.clock.now());
  await world.call("slack", "slack_list_channels");
  expect((await world.calls())[0]?.now).toMatch(/^2026-06-06T11:00/);
});

test("a world starts at another time where one is asked for", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["slack"], now: new Date("2026-06-03T08:30Z") });

  expect(await world.clock.now()).toEqual(new Date("2026-06-03T08:30Z"));
});

test("copies go their own way", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["slack"] });
  await post(world, "one");
  const name = await world.snapshot();
  await post(world, "two");
  const copy = await world.fork(name);
  expect((await world.diff(name))["slack"]?.["messages"]?.map((row) => row.new?.["text"])).toEqual(["two"]);
  await world.restore(name);

  for (const each of [world, copy]) {
    await each.assertChanged("slack.messages", { where: { text: "one" } });
    expect(await each.calls()).toHaveLength(1);
  }
  await expect(post(world, "after a restore")).resolves.toBeUndefined();
  await post(copy, "three");
  await copy.assertChanged("slack.messages", { where: { text: "three" } });
  await expect(world.assertChanged("slack.messages", { where: { text: "three" } })).rejects.toThrow(AssertionError);
});

test("what was done before startHere is given", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["slack"] });
  await post(world, "given");
  await world.startHere();

  await world.assertOnly();
  expect(await world.calls()).toHaveLength(0);
  await post(world, "done");
  await world.assertChanged("slack.messages", { change: "create", count: 1 });
});

test("what comes due in a live world is nobody's change", async ({ farm }) => {
  const world = await farm.world("harbor", { apps: ["gmail", "slack"], now: "live" });
  const saved = await world.snapshot();
  await world.startHere();
  await post(world, "hi");

  const found = Object.entries(await world.diff(saved)).filter(([, tables]) => Object.keys(tables).length > 0);
  expect(found.map(([app, tables]) => [app, tables["messages"]?.length])).toEqual([["slack", 1]]);
  await world.assertChanged("slack.messages", { after: { text: "hi" }, count: 1 });
  await world.assertOnly("slack.messages");
});

describe("a prepared world", () => {
  const prepared: World[] = [];
  const prepare = async (world: World): Promise<void> => {
    prepared.push(world);
    await post(world, "prepared");
  };

  test.for(["a", "b", "c"])("is copied for %s", async (text, { farm }) => {
    const world = await farm.prepared("office", prepare, "mini", { apps: ["slack"] });
    await world.assertOnly();
    await post(world, text);

    await world.assertChanged("slack.messages", { where: { text }, change: "create" });
    await world.assertChanged("slack.messages", { change: "create", count: 1 });
    expect((await world.rows("slack", "messages")).map((row) => row["text"])).toEqual(
      expect.arrayContaining(["prepared", text]),
    );
    expect(prepared).toHaveLength(1);
  });
});

test("checkpoints are judged with claims", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["slack"] });
  await world.call("slack", "slack_post_message", { channel_id: "#opening", text: "We ordered 24 chairs, Ben." });
  const told = (chairs: number): Record<string, unknown> => ({
    kind: "operate",
    app: "slack",
    table: "messages",
    change: "create",
    where: { channel_id: { table: "channels", where: { name: "opening" }, column: "id" } },
    after: { text: { claims: [{ number: chairs }] } },
  });

  await world.assertCheckpoints([told(24)]);
  await expect(world.assertCheckpoints([told(42)])).rejects.toThrow(/^checkpoint-1: .*42/);
  const [posted] = await world.rows("slack", "messages", { text: "We ordered 24 chairs, Ben." });
  await world.call("slack", "slack_add_reaction", {
    channel_id: posted?.["channel_id"],
    timestamp: posted?.["ts"],
    reaction: "tada",
  });
  await expect(world.assertCheckpoints([told(24)])).rejects.toThrow(/^beside that: slack.reactions/);
  await world.assertCheckpoints([told(24)], { allow: [{ app: "slack", table: "reactions" }] });
});

test("what an agent says last is judged with checkpoints", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["slack"] });
  const said = [{ kind: "personal_search", answer: { claims: [{ number: 24 }] } }];

  await world.assertCheckpoints(said, { answer: "It was 24 chairs." });
  await expect(world.assertCheckpoints(said, { answer: "It was 42 chairs." })).rejects.toThrow(AssertionError);
});

test("a world takes as many calls as it was made for", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["slack"], callsMax: 1 });
  await world.call("slack", "slack_list_channels");

  await expect(world.call("slack", "slack_list_channels")).rejects.toThrow(/1/);
});

test("a task that nobody does is not done", async ({ farm }) => {
  const task = await farm.task("demo/lark-new-room");

  expect(task.world.name).toBe("harbor");
  expect(task.instruction).not.toBe("");
  expect(task.system).toContain("Wan Lin");
  await expect(task.assertDone("Done!")).rejects.toThrow("no tool was called");
});

test("a report has what was called and what changed", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["slack"] });
  await post(world, "hi");

  const { calls, diff } = await world.record();

  expect(calls.map((call) => call.tool)).toEqual(["slack_post_message"]);
  expect(Object.keys(diff["slack"] ?? {})).toContain("messages");
  expect(inspect(world.token)).not.toBe("null");
});

base.extend<{ text: string }>({ text: "mine" }).extend<FarmFixtures>(fixtures)(
  "the fixtures go beside others",
  async ({ farm, text }) => {
    const world = await farm.world("mini", { apps: ["slack"] });
    await post(world, text);

    await world.assertChanged("slack.messages", { where: { text: "mine" } });
  },
);
