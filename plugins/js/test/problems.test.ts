/** What cannot be done is told in one line, with the way out. */

import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type Farm, McpFarmError, findFarm, VERSION, type World } from "mcp-farm-test";
import { test } from "mcp-farm-test/vitest";
import { describe, expect, inject, onTestFinished, vi } from "vitest";

import settings from "../package.json" with { type: "json" };

/** Return the one line of the problem that something comes to. */
async function problemOf(work: () => unknown): Promise<string> {
  const problem = await Promise.resolve()
    .then(work)
    .then(
      () => new Error("it came to no problem"),
      (each: unknown) => each,
    );
  expect(problem).toBeInstanceOf(McpFarmError);
  const { message } = problem as McpFarmError;
  expect(message).not.toContain("\n");
  return message;
}

/** Call back with the URL of a server that stands where a farm was expected. */
async function serving(listener: RequestListener, work: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Return a folder that goes with the test. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "mcp-farm-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const untyped = (value: unknown): never => value as never;

describe("a farm refuses", () => {
  const cases: [string, string, (farm: Farm) => Promise<unknown>][] = [
    ["an unknown world", "no world 'mni'; have halfday, harbor, mini", (farm) => farm.world("mni")],
    ["an unknown app", "no app 'slak' in this farm; have ", (farm) => farm.world("mini", { apps: ["slak"] })],
    ["an unknown person", "no person 'zoe' in world 'mini'; have ada", (farm) => farm.world("mini", { me: "zoe" })],
    ["an unknown task", "no task 'none' in suite 'demo'; have", (farm) => farm.task("demo/none")],
    ["a task without a suite", "a task is named SUITE/TASK, not 'demo'", (farm) => farm.task("demo")],
    ["no name", "a world has a name, such as 'mini'; \"\" is none", (farm) => farm.world("")],
    ["apps in a text", "apps is a list of names, such as ['lark']", (farm) => farm.world("mini", { apps: untyped("lark") })],
    ["an unknown option", "no option 'app' of a world; have apps, seed", (farm) => farm.world("mini", untyped({ app: 1 }))],
    ["an invalid moment", "options.now is no moment", (farm) => farm.world("mini", { now: new Date("soon") })],
  ];

  test.for(cases)("%s", async ([, said, work], { farm }) => {
    expect(await problemOf(() => work(farm))).toContain(said);
  });
});

describe("a world refuses", () => {
  const cases: [string, string, (world: World) => unknown][] = [
    ["an app that it has not", "no app 'slack' in this world; it has lark", (world) => world.url("slack")],
    ["a call of one", "no app 'slack' in this world; it has lark", (world) => world.call("slack", "slack_list_channels")],
    ["a table of one", "no app 'slack' in this world; it has lark", (world) => world.assertOnly("slack.messages")],
    ["no table", "a table is named with its app, as in 'lark.events', not 'lark.'", (world) => world.assertOnly("lark.")],
    ["an unknown table", "no table 'evnts' in lark; have", (world) => world.assertChanged("lark.evnts")],
    ["one that alone may change", "no table 'evnts' in lark; have", (world) => world.assertOnly("evnts")],
    ["rows of one", "no table 'evnts' in lark; have", (world) => world.rows("lark", "evnts")],
    ["an unknown column", "no column 'title' in lark.events; have", (world) => world.rows("lark", "events", { title: "1:1" })],
    ["an unknown snapshot", "no snapshot 'then' of episode", (world) => world.restore("then")],
    ["to look for undefined", "where.event_id is undefined", (world) => world.rows("lark", "events", { event_id: undefined })],
    [
      "to assert undefined",
      "where.event_id is undefined; give",
      (world) => world.assertChanged("lark.events", { where: { event_id: undefined } }),
    ],
    ["a function", "after.title is () => 1; give", (world) => world.assertChanged("events", { after: { title: () => 1 } })],
    ["not a number", "checkpoints[0].count is NaN; give", (world) => world.assertCheckpoints([{ count: Number.NaN }])],
    ["a misspelt wish", "no option 'were' of assertChanged", (world) => world.assertChanged("events", untyped({ were: {} }))],
    ["a unit of time", "no option 'months' of a step of the clock", (world) => world.clock.advance(untyped({ months: 1 }))],
    ["time to go back", "a number of seconds from 0 on, not -3600", (world) => world.clock.advance({ hours: -1 })],
  ];

  test.for(cases)("%s", async ([, said, work], { farm }) => {
    const world = await farm.world("mini", { apps: ["lark"] });

    expect(await problemOf(() => work(world))).toContain(said);
  });
});

describe("no farm is to be had", () => {
  test("with another token, with none, and where none is", async () => {
    const { url } = inject("mcpFarm") ?? { url: "" };
    vi.stubEnv("HOME", newFolder());

    expect(await problemOf(() => findFarm({ url, token: "another" }))).toContain("wants another token");
    expect(await problemOf(() => findFarm({ url }))).toContain(`no token was given for the farm at ${url}; set MCP_FARM_TOKEN`);
    vi.stubEnv("MCP_FARM_TOKEN_FILE", "/nowhere/token");
    expect(await problemOf(() => findFarm({ url }))).toContain("/nowhere/token cannot be read for the farm");
    expect(await problemOf(() => findFarm({ url: "http://127.0.0.1:2", token: "x" }))).toMatch(
      /^no farm answers at http:\/\/127\.0\.0\.1:2 \(ECONNREFUSED\); is it running\? 'farm status'$/,
    );
    expect(await problemOf(() => findFarm({ url: "localhost:8701", token: "x" }))).toContain("is no URL of a farm");
  });

  test("at something else that answers", async () => {
    await serving(
      (_, answer) => answer.end("hello"),
      async (url) => {
        expect(await problemOf(() => findFarm({ url, token: "x" }))).toContain(
          `${url} is no farm (it answered 200 without JSON); give its operators' URL`,
        );
      },
    );
  });

  test("of another version", async () => {
    await serving(
      (_, answer) => answer.end(JSON.stringify({ version: "0.9.3" })),
      async (url) => {
        expect(await problemOf(() => findFarm({ url, token: "x" }))).toBe(
          `the farm at ${url} is of version 0.9.3, and this is mcp-farm-test ${VERSION}; ` +
            "install both from one checkout of mcp-farm, mcp-farm-test from its folder plugins/js",
        );
      },
    );
    expect(VERSION).toBe(settings.version);
  });

  test("without anything that starts one", async () => {
    vi.stubEnv("MCP_FARM_COMMAND", undefined);
    vi.stubEnv("PATH", "");

    expect(await problemOf(() => findFarm())).toContain("no farm can be had: set MCP_FARM_URL and MCP_FARM_TOKEN");
  });

  test.for([
    ["/nowhere/farm", "no farm can be had: '/nowhere/farm' cannot be run (no such file or directory)"],
    ["true", "'true up --ephemeral' starts no farm: it ended with status 0"],
    ["sh -c 'echo Oh, no. >&2; echo; exit 3'", "starts no farm: Oh, no.; install mcp-farm"],
    ["sh -c 'kill -9 $$'", "starts no farm: it ended with SIGKILL"],
    ["  ", "the command that starts a farm is empty"],
  ] as const)("by a command that starts none: %s", async ([command, said]) => {
    expect(await problemOf(() => findFarm({ command }))).toContain(said);
  });
});

test("a farm that stays keeps no world of a test that is over", async () => {
  const { url, token } = inject("mcpFarm") ?? { url: "", token: "" };
  const folder = newFolder();
  writeFileSync(join(folder, "token"), `${token}\n`);
  vi.stubEnv("MCP_FARM_TOKEN_FILE", join(folder, "token"));
  const listed = async (): Promise<string[]> => {
    const answer = await fetch(`${url}/v1/episodes`, { headers: { authorization: `Bearer ${token}` } });
    return ((await answer.json()) as { episodes: { id: string }[] }).episodes.map((each) => each.id);
  };

  const farm = await findFarm({ url: `${url}/v1/` });
  const world = await farm.world("mini", { apps: ["slack"] });
  const copy = await world.fork();
  const prepared = await farm.prepared("one", () => undefined, "mini", { apps: ["slack"] });
  expect(await listed()).toEqual(expect.arrayContaining([world.id, copy.id, prepared.id]));
  await copy.close();
  await farm.close();

  const left = await listed();
  for (const each of [world, copy, prepared]) expect(left).not.toContain(each.id);
});
