/**
 * The fixture `farm` for vitest.
 *
 * @packageDocumentation
 */

import { inject, test as base, type TestAPI } from "vitest";

import { McpFarmError } from "./errors.js";
import { dropPrepared, Farm, type Prepared, runningFarm } from "./farm.js";
import type {} from "./setup.js"; // the provided values
import { ControlApi } from "./wire.js";

/** The fixtures of a test. */
export interface FarmFixtures {
  /** Simulated MCP servers: `await farm.world("mini", { apps: ["lark"] })` is a world for this test alone. */
  farm: Farm;
  /** @internal */
  farmOfFile: () => Promise<Farm>;
}

type Use<Value> = (value: Value) => Promise<void>;

/**
 * The fixtures, for a `test` that already has others: `mine.extend<FarmFixtures>(fixtures)`.
 */
export const fixtures: {
  farmOfFile: [(context: object, use: Use<() => Promise<Farm>>) => Promise<void>, { scope: "file" }];
  farm: (context: Pick<FarmFixtures, "farmOfFile">, use: Use<Farm>) => Promise<void>;
} = {
  // Connected and prepared once. Vitest reads from the braces which fixtures a function uses.
  farmOfFile: [
    async ({}, use) => {
      const prepared: Prepared = new Map();
      let api: Promise<ControlApi> | undefined;
      await use(async () => new Farm(await (api ??= reach()), prepared, async () => undefined, inject("mcpFarm")?.command));
      await dropPrepared(prepared);
    },
    { scope: "file" },
  ],
  farm: async ({ farmOfFile }, use) => {
    const farm = await farmOfFile();
    await use(farm);
    await farm.close();
  },
};

/**
 * The test function of vitest with the fixture `farm`, found on first use; each test's worlds are dropped with it.
 *
 * @example
 * ```ts
 * test("answers Ben", async ({ farm }) => {
 *   const world = await farm.world("mini", { apps: ["slack"] });
 *   await myAgent(world.mcpConfig(), "Answer Ben in #opening");
 *   await world.assertOnly("slack.messages");
 * });
 * ```
 */
export const test: TestAPI<FarmFixtures> = base.extend<FarmFixtures>(fixtures);

/** Another name of {@link test}. */
export const it = test;

async function reach(): Promise<ControlApi> {
  const provided = inject("mcpFarm");
  if (provided !== undefined) return ControlApi.connect(provided.url, provided.token, provided.where);
  const running = runningFarm({});
  if (running !== undefined) return ControlApi.connect(running.url, running.token());
  throw new McpFarmError(
    "no farm was set up for this run: add globalSetup: ['mcp-farm-test/setup'] to the test options of vitest's config, " +
      "or set MCP_FARM_URL and MCP_FARM_TOKEN to a running one's",
  );
}
