/** Agents' clients of the official SDKs reach a world by its URL and token. */

import { Client as ClientOfTwo, StreamableHTTPClientTransport as TransportOfTwo } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { World } from "mcp-farm-test";
import { test } from "mcp-farm-test/vitest";
import { describe, expect } from "vitest";

interface Agent {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  close(): Promise<void>;
}

const NAME = { name: "an-agent", version: "1.0.0" };

async function withOne(world: World, app: string): Promise<Agent> {
  const { url, headers } = world.connection(app);
  const client = new Client(NAME);
  // Its types are not written for exactOptionalPropertyTypes.
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return client;
}

async function withTwo(world: World, app: string): Promise<Agent> {
  const { url, headers } = world.connection(app);
  const client = new ClientOfTwo(NAME);
  await client.connect(new TransportOfTwo(new URL(url), { requestInit: { headers } }));
  return client;
}

describe.each([
  ["@modelcontextprotocol/sdk 1", withOne],
  ["@modelcontextprotocol/client 2", withTwo],
])("an agent with %s", (_, connect) => {
  test("does what was asked, and is seen doing it", async ({ farm }) => {
    const world = await farm.world("mini", { apps: ["slack"] });
    const agent = await connect(world, "slack");

    const { tools } = await agent.listTools();
    const answer = { channel_id: "#opening", text: "We ordered 24 chairs, they come on Wednesday." };
    const result = await agent.callTool({ name: "slack_post_message", arguments: answer });
    await agent.close();

    expect(tools).toHaveLength(8);
    expect(result).not.toHaveProperty("isError", true);
    await world.assertChanged("slack.messages", { after: { text: { claims: [{ number: 24 }, { date: "+2" }] } } });
    await world.assertOnly("slack.messages");
    const calls = await world.calls();
    expect(calls.refused).toEqual([]);
    expect(calls.forApp("slack", "slack_post_message")[0]).toMatchObject({ arguments: answer, wrote: true });
    expect(calls.forApp("slack", "slack_list_channels")).toHaveLength(0);
  });

  test("is refused where the app refuses, beside calls of the test's own", async ({ farm }) => {
    const world = await farm.world("mini", { apps: ["slack"] });
    const agent = await connect(world, "slack");

    await world.call("slack", "slack_list_channels");
    await agent.callTool({ name: "slack_post_message", arguments: { channel_id: "C0000000000", text: "hello" } });
    await agent.close();

    const { refused } = await world.calls();
    expect(refused.map((call) => call.text)).toEqual([expect.stringContaining("channel_not_found")]);
    await world.assertOnly();
  });

  test("is let in with the world's own token alone", async ({ farm }) => {
    const [mine, other] = [await farm.world("mini", { apps: ["slack"] }), await farm.world("mini", { apps: ["slack"] })];
    const astray = Object.create(mine, { token: { value: other.token } }) as World;

    expect(mine.connection("slack").headers).toEqual({ Authorization: `Bearer ${mine.token}` });
    await expect(connect(astray, "slack")).rejects.toThrow();
  });
});

test("a configuration names every app's server", async ({ farm }) => {
  const world = await farm.world("mini", { apps: ["slack", "lark"] });

  expect(world.mcpConfig()).toEqual({
    mcpServers: {
      slack: { type: "http", ...world.connection("slack") },
      lark: { type: "http", ...world.connection("lark") },
    },
  });
  expect(world.urls).toEqual({ slack: world.url("slack"), lark: world.url("lark") });
});
