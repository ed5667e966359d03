/** Rows, files, trials, calls and cassettes: the counterpart of tests/plugin/test_assertions.py and test_cassettes.py. */

import { AssertionError } from "node:assert";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findFarm, McpFarmError, type Connection, type World } from "mcp-farm-test";
import { test } from "mcp-farm-test/vitest";
import { afterEach, beforeEach, describe, expect, vi } from "vitest";

const POST = "slack_post_message";
let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "mcp-farm-js-"))));
afterEach(() => rmSync(folder, { recursive: true }));

async function post(world: World, channel_id: string, text: string): Promise<void> {
  await world.call("slack", POST, { channel_id, text });
}

test("rows of a test are part of its start", async ({ farm }) => {
  const plain = await farm.world("mini", { apps: ["slack"] });
  const [general] = await plain.rows("slack", "channels", { name: "general" });
  const [first] = await plain.rows("slack", "messages", { channel_id: general?.["id"] });
  const row = { ...first, table: "messages", ts: "1780300000.000100", text: "Only here." };

  const world = await farm.world("mini", { apps: ["slack"], rows: { slack: [row] } });

  expect(await world.rows("slack", "messages", { text: "Only here." })).toHaveLength(1);
  expect(await plain.rows("slack", "messages", { text: "Only here." })).toEqual([]);
  await world.assertOnly();
});

test("files of a test are read by the apps of its world", async ({ farm }) => {
  const menu = join(folder, "menu.pdf");
  writeFileSync(menu, "%PDF");
  const world = await farm.world("mini", { apps: ["gmail", "slack"], files: [menu] });
  const mail = { to: ["ben@plum.example"], subject: "Menu", body: "Here.", attachments: [menu] };
  await world.call("gmail", "send_email", mail);

  const copies = 2; // Ada's and Ben's
  await world.assertChanged("gmail.attachments", { after: { filename: "menu.pdf", size_bytes: 4 }, count: copies });
  const files = { obsidian: { "Oven.md": "hot", "oven.bin": new Uint8Array([255, 1]) } };
  const vault = await farm.world("mini", { apps: ["obsidian"], files });
  expect(await vault.rows("obsidian", "files", { path: "Oven.md" })).toMatchObject([{ content: "hot" }]);
  expect(await vault.rows("obsidian", "files", { path: "oven.bin" })).toMatchObject([{ content: "", base64: "/wE=" }]);
});

test.for([
  [{ rows: { slack: [{ table: "messages", txt: "x" }] } }, /no column 'txt' in 'messages'; have .*text/],
  [{ files: { slack: { a: "x" } } }, /slack keeps no files; no app of this episode does/],
  [{ files: ["/nowhere/a.pdf"] }, /file \/nowhere\/a.pdf cannot be read: no such file/],
  [{ files: { slack: ["a"] } }, /the files of slack are an object of path/],
  [{ files: { slack: { a: 3 } } }, /the file 'a' is text or a Uint8Array, not 3/],
] as const)("what does not fit is told: %s", async ([options, said], { farm }) => {
  await expect(farm.world("mini", { apps: ["slack"], ...(options as object) })).rejects.toThrow(said);
});

test("order and arguments of calls are asserted", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["slack"] });
  await world.call("slack", "slack_list_channels", { limit: 100 });
  await post(world, "#general", "hi");
  await post(world, "#opening", "ho");
  const calls = await world.calls();

  calls.assertOrder("slack_list_channels", `slack.${POST}`, POST);
  calls.assertCalled(POST, {}, 2);
  calls.assertCalled(POST, { channel_id: "#general" });
  calls.assertNotCalled("slack_get_users");
  expect(calls.matching(`slack.${POST}`, { text: "ho" }).tools).toEqual([POST]);
  const failing: [() => void, RegExp][] = [
    [() => calls.assertOrder(POST, "slack_list_channels"), /after slack_post_message, found none\n\n3 tool calls:/],
    [() => calls.assertCalled(POST, {}, 1), /1 times, found 2\n\n3 tool calls:/],
    [() => calls.assertCalled(POST, { text: "he" }), /with {"text": "he"}, found 0/],
    [() => calls.assertNotCalled("slack_list_channels"), /expected no call of slack_list_channels, found #1/],
  ];
  for (const [run, said] of failing) {
    expect(run).toThrow(AssertionError);
    expect(run).toThrow(said);
  }
  expect(() => calls.assertCalled("lark.x")).toThrow("no app 'lark' in this world");
  expect(() => calls.assertNotCalled("slack_post_mesage")).toThrow("no tool 'slack_post_mesage' in this world; see 'farm tools slack'; did you");
  expect(() => calls.assertNotCalled("slack.slack_post_mesage")).toThrow("no tool 'slack_post_mesage' in slack");
});

test("a failure has the names of people and places", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["slack"] });
  const [opening] = await world.rows("slack", "channels", { name: "opening" });
  await post(world, "#general", "hi");

  const wish = { where: { channel_id: opening?.["id"], user_id: world.people["ben"] } };
  const { message } = (await world.assertChanged("slack.messages", wish).catch((each: unknown) => each)) as Error;

  expect(message).toMatch(/\(opening\)/);
  expect(message).toMatch(/\(general\)/);
  expect(message).toMatch(/\(Ada Ames, 'ada'\)/);
});

describe("trials", () => {
  test.for([[0.6, true], [0.8, false]] as const)("%s of three", async ([minPass, passes], { farm }) => {
    const running = farm.trials(3, { minPass }, async (number) => {
      const world = await farm.world("mini", { apps: ["slack"] });
      await post(world, "#general", number === 2 ? "ho" : "hi");
      await world.assertChanged("slack.messages", { after: { text: "hi" } });
    });

    if (passes) await running;
    else await expect(running).rejects.toThrow(/2 of 3 trials passed, wanted 80%\n\ntrial 2: expected a row of slack.mess/);
    expect(farm.worlds).toEqual([]);
  });

  test("an error that is no failed assertion ends them", async ({ farm }) => {
    await expect(farm.trials(3, { minPass: 0 }, async () => farm.world("mini", { apps: ["slak"] }))).rejects.toThrow(McpFarmError);
    await expect(farm.trials(0, {}, () => undefined)).rejects.toThrow("trials are at least one");
    await farm.trials(1, { minPass: 0 }, () => expect(1).toBe(2));
  });
});

test("a started farm runs only the named apps", async () => {
  const farm = await findFarm({ command: process.env["MCP_FARM_COMMAND"], apps: ["slack"] });
  try {
    expect((await farm.world("mini")).apps).toEqual(["slack"]);
    await expect(farm.world("mini", { apps: ["lark"] })).rejects.toThrow("no app 'lark' in this farm; have slack");
  } finally {
    await farm.close();
  }
});

async function say({ url, headers }: Connection, text: string): Promise<string> {
  const params = { name: POST, arguments: { channel_id: "#general", text } };
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      ...headers,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  return answer.text();
}

describe("cassettes", () => {
  test("record a session once and replay it without its server", async ({ farm }) => {
    const path = join(folder, "slack.json");
    const world = await farm.world("mini", { apps: ["slack"] });
    const recording = await farm.cassette(path, { server: async () => world.connection("slack") });
    const first = await say(recording.connection(), "hello");
    await recording.assertFinished();
    await recording.close();
    expect(readFileSync(path, "utf8")).not.toContain(world.token);

    const tape = await farm.cassette(path, { server: () => expect.fail("the server is not needed") });

    expect(JSON.parse(await say(tape.connection(), "hello"))).toEqual(JSON.parse(first));
    (await tape.calls()).assertCalled(`slack.${POST}`, { text: "hello" });
    await tape.assertFinished();
    expect((await world.calls()).length).toBe(1);
  });

  test("a request that differs says what differs, to the agent and to the test", async ({ farm }) => {
    const path = join(folder, "slack.json");
    const world = await farm.world("mini", { apps: ["slack"] });
    const recording = await farm.cassette(path, { server: world.connection("slack") });
    await say(recording.connection(), "hello");
    await recording.close();
    const tape = await farm.cassette(path);
    const said = 'tools/call slack_post_message differs: params.arguments.text is "ho", recorded: "hello"';

    expect(JSON.parse(await say(tape.connection(), "ho")).error.message).toContain(said);
    await expect(tape.assertFinished()).rejects.toThrow(said);
    await expect(tape.close()).rejects.toThrow(said);
    const ignoring = await farm.cassette(path, { ignore: ["params.arguments.text"] });
    expect(await say(ignoring.connection(), "ho")).toContain("result");
  });

  test("the environment sets the mode, and what cannot be had is told", async ({ farm }) => {
    vi.stubEnv("MCP_FARM_RECORD_MODE", "none");

    await expect(farm.cassette(join(folder, "x.json"), { mode: "all" })).rejects.toThrow(/there is no cassette .*x.json/);
    vi.unstubAllEnvs();
    await expect(farm.cassette(join(folder, "x.json"), { modus: "all" } as object)).rejects.toThrow("no option 'modus'");
    await expect(farm.cassette(join(folder, "x.json"))).rejects.toThrow(/no server to record it from/);
  });
});

async function complete(baseUrl: string, content: string): Promise<Response> {
  const body = JSON.stringify({ model: "gpt-5", messages: [{ role: "user", content }] });
  return fetch(`${baseUrl}/chat/completions`, { method: "POST", headers: { "content-type": "application/json" }, body });
}

test("a mock model says its script, and nothing else", async ({ farm }) => {
  const model = await farm.model(["Hello.", { when: "chairs", text: "24." }]);

  expect(await (await complete(model.baseUrl, "hi")).text()).toContain("Hello.");
  await expect(model.assertFinished()).rejects.toThrow(AssertionError);
  expect((await model.requests())[0]).toMatchObject({ newest: expect.stringContaining("hi"), turn: 1 });
  expect(model.environment["OPENAI_BASE_URL"]).toBe(model.baseUrl);
  await expect(farm.model([{ tol: "x" }])).rejects.toThrow(McpFarmError);
});

test("a model's session is a cassette, too", async ({ farm }) => {
  const path = join(folder, "model.json");
  const model = await farm.model(["Hello."]);
  const recording = await farm.cassette(path, { model: true, server: model.baseUrl });
  await complete(recording.baseUrl, "hi");
  await recording.close();
  await model.close();

  const tape = await farm.cassette(path, { model: true });

  expect(await (await complete(tape.baseUrl, "hi")).text()).toContain("Hello.");
  await tape.assertFinished();
});
