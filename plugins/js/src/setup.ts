/**
 * Start one farm for a run of vitest, and stop it: `globalSetup: ["mcp-farm-test/setup"]`.
 *
 * @packageDocumentation
 */

import type { TestProject } from "vitest/node";

import { connectStarted, type FarmOptions, runningFarm, startFarm } from "./farm.js";
import type { StartedFarm } from "./started.js";
import { ControlApi } from "./wire.js";

/** The address of a run's farm for its tests. */
export interface ProvidedFarm {
  url: string;
  token: string;
  where: string;
  /** The command that starts a farm, if the setup names one. */
  command?: string | readonly string[];
}

declare module "vitest" {
  export interface ProvidedContext {
    mcpFarm?: ProvidedFarm;
  }
}

interface Shared {
  holders: number;
  started: Promise<StartedFarm>;
}

// Each project of a workspace runs its own setup with its own modules; they share the process.
const SHARED = Symbol.for("mcp-farm-test.started");
const byCommand = ((globalThis as Record<symbol, unknown>)[SHARED] ??= new Map()) as Map<string, Shared>;

/**
 * Return a global setup with options, as the default export of a setup file.
 *
 * @example
 * ```ts
 * export default farmSetup({ command: "uvx --from mcp-farm farm" });
 * ```
 */
export function farmSetup(options: FarmOptions = {}): (project: TestProject) => Promise<() => Promise<void>> {
  return async (project) => {
    const running = runningFarm(options);
    if (running !== undefined) {
      const { url, where } = await ControlApi.connect(running.url, running.token());
      project.provide("mcpFarm", { url, token: running.token(), where });
      return async () => undefined;
    }
    const key = JSON.stringify([options.command ?? null, options.apps ?? null]);
    const shared = byCommand.get(key) ?? { holders: 0, started: startChecked(options) };
    byCommand.set(key, shared);
    shared.holders += 1;
    const letGo = async (): Promise<void> => {
      shared.holders -= 1;
      if (shared.holders > 0) return;
      byCommand.delete(key);
      await (await shared.started).close();
    };
    try {
      const { url, token, where } = await shared.started;
      project.provide("mcpFarm", { url, token, where, ...(options.command === undefined ? {} : { command: options.command }) });
    } catch (problem) {
      byCommand.delete(key);
      throw problem;
    }
    return letGo;
  };
}

async function startChecked(options: FarmOptions): Promise<StartedFarm> {
  const started = await startFarm(options);
  await connectStarted(started);
  return started;
}

export default farmSetup();
