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

test("a week arrives as the clock is moved, in order over all apps", async ({ farm }) => {
  const world = await farm.world("harbor", { apps: ["lark", "slack"], arrivals: true });
  const first = await world.clock.next();

  expect(first.map((each) => each.app)).toEqual(["lark"]);
  expect(first[0]?.notice).toContain("S2 站会还有 10 分钟");
  expect(await world.clock.text()).toMatch(/^2026-03-09T09:20:00/);
  const rest = await world.clock.untilQuiet();
  expect(rest).toEqual(world.clock.came);
  expect(rest.map((each) => each.at)).toEqual(rest.map((each) => each.at).sort());
  expect(new Set(rest.map((each) => each.app))).toEqual(new Set(["lark", "slack"]));
  expect(rest.filter((each) => each.due === "start_at").every((each) => each.table === "events")).toBe(true);
  expect(rest.filter((each) => each.dropped)).toEqual([]);
  await world.assertOnly();
  await expect(world.clock.next()).rejects.toThrow(/nothing waits to arrive/);
});

test("an agent waits for what the person is notified of, and asks them", async ({ farm }) => {
  const user = { answers: [{ asks: { contains: "soup" }, says: "The red one." }], unknown: "No idea." };
  const world = await farm.world("harbor", { apps: ["lark", "clock"], arrivals: true, pace: "30s", user });

  const { now, notices } = await world.call<{ now: string; notices: unknown[] }>("clock", "wait", { minutes: 60 });
  expect(now).toBe("2026-03-09T09:20:30+08:00");
  expect(notices).toHaveLength(1);
  expect(await world.call("clock", "ask_user", { question: "Which soup?" })).toBe("The red one.");
  expect(await world.call("clock", "ask_user", { question: "Which lamp?" })).toBe("No idea.");
  expect(await world.clock.text()).toMatch(/^2026-03-09T09:21:30/);
});

test("an expired token stays refused, and a new one is accepted", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["slack"] });
  await world.fault("slack", "unauthorized");
  const list = async (): Promise<number> => {
    const { url, headers } = world.connection("slack");
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "slack_list_channels", arguments: {} } });
    const accept = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    return (await fetch(url, { method: "POST", headers: { ...headers, ...accept }, body })).status;
  };

  expect([await list(), await list()]).toEqual([401, 401]);
  const old = world.token;
  expect(await world.renewToken()).not.toBe(old);
  expect(await list()).toBe(200);
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

test("another person uses the same world", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["obsidian", "slack"] });
  const ben = world.as("ben");
  await ben.call("slack", "slack_post_message", { channel_id: "#general", text: "from ben" });
  await world.call("slack", "slack_post_message", { channel_id: "#general", text: "from ada" });

  await world.assertChanged("slack.messages", { where: { user_id: world.people["ben"] }, after: { text: "from ben" } });
  await world.assertChanged("slack.messages", { where: { user_id: world.me }, after: { text: "from ada" } });
  expect([...(await world.calls())].map((each) => each.by)).toEqual(["ben", undefined]);
  expect(await ben.apps()).toEqual(["slack"]);
  expect(await ben.connection("slack")).not.toEqual(world.connection("slack"));
  await expect(ben.call("obsidian", "list_notes")).rejects.toThrow("'ben' has no account in obsidian; has slack");
  await expect(world.as("zoe").apps()).rejects.toThrow("no person 'zoe' in world 'mini'");
});

test("several people are named at once", async ({ farm }) => {
  const world = await farm.world("mini", { me: ["ben", "ada"] });

  expect([world.me.key, world.apps.includes("obsidian")]).toEqual(["ben", true]);
  expect(await world.as("ben").apps()).not.toContain("obsidian");
});

test("a planned fault refuses a call once in the vendor's words, and its retry goes through", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["slack"] });
  const fault = await world.fault("slack", "rate_limited", { tool: "slack_post_message", where: { text: { contains: "chairs" } } });

  await post(world, "hello");
  await expect(post(world, "24 chairs")).rejects.toThrow(/ratelimited/);
  await expect(world.assertRecovered()).rejects.toThrow(/1 call failed as planned, 1 never succeeded/);
  await post(world, "24 chairs");

  await world.assertRecovered();
  await expect(world.assertBackedOff(30)).rejects.toThrow(/1 made again too soon/);
  const calls = await world.calls();
  expect(calls.refused).toEqual([]);
  expect(calls.faulted.map((each) => each.fault)).toEqual([fault.id]);
  expect(await fault.counts()).toEqual({ matched: 2, failed: 1 });
  await world.assertChanged("messages", { count: 2 });
});

test("an answer that never comes is a refusal, and a healed fault is over", async ({ farm }) => {
  const faults = [{ app: "slack", kind: "dropped", id: "gone", heals_after: 9 }];
  const world = await farm.world("mini", { apps: ["slack"], faults });
  const [gone] = await world.faults();

  await expect(post(world, "hello")).rejects.toThrow(/Connection closed/);
  await gone?.heal();
  await post(world, "hello");

  expect(gone?.id).toBe("gone");
  await world.assertChanged("messages");
  await expect(world.fault("slack", "melted")).rejects.toThrow(/no kind of fault 'melted'; slack has rate_limited/);
});

test("a person answers when the clock has come to it, and it is nobody's damage", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["slack"] });
  const rule = await world.when("ben", "slack.messages", { channel: "#opening", text: { contains: "how many" } }).reply("24.", { after: "5m" });
  await world.call("slack", "slack_post_message", { channel_id: "#opening", text: "Ben, how many chairs?" });

  const [answer] = await world.clock.next();

  expect([answer?.by, answer?.rule, answer?.what]).toEqual(["ben", rule, "24."]);
  expect((await world.answers()).acted.map((each) => each.do)).toEqual(["reply"]);
  await world.assertChanged("slack.messages", { count: 1 });
  await world.assertOnly("slack.messages");
  expect(() => world.when("ben", "slack")).toThrow("written as app.table");
  await expect(world.when("bob", "slack.messages").reply("24.")).rejects.toThrow("no person 'bob' in slack");
});
