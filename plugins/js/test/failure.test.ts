/** What a failing assertion shows is what pytest-mcp-farm shows. */

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { test } from "mcp-farm-test/vitest";
import { describe, expect } from "vitest";

import { failure } from "../src/show.js";
import type { ChangedRow, Diff, TracedCall } from "../src/wire.js";

const CHECKOUT = fileURLToPath(new URL("../../../", import.meta.url));
const SHOWING = "import json, sys; from pytest_mcp_farm.show import failure; print(failure(*json.load(sys.stdin)), end='')";

function inPython(why: string, calls: TracedCall[], diff: Diff, names: Record<string, string>): string {
  return execFileSync(`${CHECKOUT}.venv/bin/python`, ["-c", SHOWING], {
    input: JSON.stringify([why, calls, diff, names]),
    encoding: "utf8",
    env: { PYTHONPATH: `${CHECKOUT}plugins/pytest`, PYTHONUTF8: "1" },
  });
}

function call(n: number, given: Partial<TracedCall> = {}): TracedCall {
  const result = { content: [{ type: "text", text: "{}" }] };
  const usual = { app: "slack", tool: "slack_list_channels", arguments: {}, refused: false, wrote: false };
  return { ...usual, n, now: "2026-06-01T09:00:00+00:00", result, ...given };
}

const refusal = { content: [{ type: "text", text: "no such\n  channel" }, { type: "image", data: "x" }] };
const row = (given: Partial<ChangedRow>): ChangedRow => ({ op: "insert", key: { id: 1 }, old: null, new: null, call: 1, ...given });

describe("the table of calls and changes is that of the Python plugin", () => {
  const cases: [string, TracedCall[], Diff][] = [
    ["of nothing", [], {}],
    [
      "of calls of all kinds",
      [
        call(1, { arguments: { limit: 2, deep: [{ a: null, b: [true, 0.5] }], "词": "议程" } }),
        call(12, { tool: "slack_post_message", wrote: true, arguments: { text: "𝒳👍🏽 ".repeat(40) } }),
        call(13, { app: "飞书", refused: true, result: refusal }),
        call(14, { refused: true, result: { error: { code: -32602, message: "Unknown tool" } } }),
        call(15, { refused: true, result: {} }),
      ],
      {},
    ],
    ["of more calls than are shown", Array.from({ length: 55 }, (_, n) => call(n + 1)), {}],
    [
      "of changes of all kinds",
      [call(1)],
      {
        lark: {
          events: [
            row({ op: "update", old: { id: 1, at: "9", who: ["a"] }, new: { id: 1, at: null, who: ["b"] } }),
            row({ op: "delete", old: { id: 1, title: "会议 — weekly", at: 0, note: "", is_private: false, flag: true } }),
          ],
        },
        slack: {
          messages: [
            row({ key: { channel: "C1", ts: "1.5" }, new: { channel: "C1", ts: "1.5", text: "Ä\t b\n".repeat(30) } }),
            row({ key: { id: "x".repeat(60) }, new: { id: "x", blocks: { type: "rich", n: 3 }, other: null } }),
          ],
        },
      },
    ],
    ["of more changes than are shown", [], { slack: { messages: Array.from({ length: 41 }, (_, id) => row({ key: { id }, new: { id } })) } }],
  ];

  test.each(cases)("%s", (why, calls, diff) => {
    const names = { C1: "general (a+b)", events: "x" };
    expect(failure(why, calls, diff, names)).toBe(inPython(why, calls, diff, names));
  });
});

test("a failed assertion says what was asked for, called and changed, and points at the test", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["slack"] });
  await world.call("slack", "slack_post_message", { channel_id: "#general", text: "24 chairs." });

  const problem = await world.assertOnly().catch((each: unknown) => each as Error);

  const { message, stack } = problem as Error;
  expect(message).toMatch(/^expected nothing to change; slack\.messages: a row was created that nobody asked for\n/);
  expect(message).toContain(
    '\n\n1 tool call:\n  #1  slack  slack_post_message  {"channel_id": "#general", "text": "24 chairs."}  wrote\n\n1 row changed:\n',
  );
  expect(message).toMatch(/\n {2}slack\.messages {2}created {2}C\w+ \(general\)\/[\d.]+ {2}user_id=U\w+ \(Ada Ames, .ada.\), text=24 chairs\., bot_id=B\w+ \(Plum Helper\)$/);
  expect(stack?.split("\n").filter((line) => /^\s+at /.test(line))[0]).toContain("failure.test.ts");
});

test("what did not happen is said in the words of the wish", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["slack"] });

  await expect(
    world.assertChanged("messages", { where: { text: "it's", user_id: world.people["ben"] } }),
  ).rejects.toThrow("expected a row of messages to change with text \"it's\", user_id ben; none changed\n\nno tool was called");
  await expect(world.assertChanged("messages", { after: { text: "a" } })).rejects.toThrow("none was created or updated");
  await world.call("slack", "slack_post_message", { channel_id: "#general", text: "hello" });
  await expect(world.assertChanged("messages", { where: { text: "hi" } })).rejects.toThrow(/found 1 created, but not that one/);
  await expect(world.assertChanged("messages", { change: "delete" })).rejects.toThrow(/^expected a row of slack.messages deleted/);
  await expect(world.assertChanged("messages", { change: "create", count: 2 })).rejects.toThrow(/2/);
});
