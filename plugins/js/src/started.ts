/** A farm that is started with the command `farm`, and ends with the process that started it. */

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getSystemErrorMap } from "node:util";

import { McpFarmError } from "./errors.js";

const START_MS_MAX = 90_000;
const END_MS_MAX = 15_000;
const INSTALL =
  "install mcp-farm, set MCP_FARM_URL, or name the command that starts one in MCP_FARM_COMMAND";

/** A process that runs while this one holds the other end of its standard input, and the values that it printed. */
export interface Started {
  readonly said: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** A farm in its own processes. It ends when no process holds the other end of its standard input. */
export class StartedFarm {
  readonly #started: Started;

  private constructor(
    readonly url: string,
    readonly token: string,
    /** Its description, for people. */
    readonly where: string,
    started: Started,
  ) {
    this.#started = started;
  }

  /**
   * Start a farm and wait until it is ready.
   *
   * @param command - the command that starts `farm`, as a command line or in words
   * @param apps - the apps that it runs; by default, all
   * @throws {@link McpFarmError} the command cannot be run, or starts no farm.
   */
  static async start(command: string | readonly string[], apps?: readonly string[]): Promise<StartedFarm> {
    const words = typeof command === "string" ? wordsOf(command) : command;
    const only = apps === undefined || apps.length === 0 ? [] : ["--apps", apps.join(",")];
    const started = await startCommand(words, ["up", "--ephemeral", ...only], "farm", ["url", "token"]);
    const { url = "", token = "" } = started.said;
    return new StartedFarm(url, token, `the farm started with '${words.join(" ")}'`, started);
  }

  /** Release the farm, and wait until it has ended. */
  async close(): Promise<void> {
    await this.#started.close();
  }
}

/**
 * Start a command of a farm that runs while its standard input is open.
 *
 * @param words - the command that starts `farm`
 * @param args - its arguments
 * @param what - its name in messages
 * @param keys - the values that it prints
 * @throws {@link McpFarmError} the command cannot be run, or does not print its address.
 */
export async function startCommand(words: readonly string[], args: readonly string[], what: string, keys: readonly string[]): Promise<Started> {
  const shown = words.join(" ");
  const [program, ...rest] = words;
  if (program === undefined) throw new McpFarmError(`the command that starts a farm is empty; ${INSTALL}`);
  const folder = mkdtempSync(join(tmpdir(), "mcp-farm-test-"));
  const errors = openSync(join(folder, "errors"), "w");
  try {
    // In its own process group, so that Ctrl-C in a terminal ends the tests first.
    const child = spawn(program, [...rest, ...args], {
      stdio: ["pipe", "pipe", errors],
      detached: true,
    });
    const failed = once(child, "error").then(([problem]) => {
      const { errno, message } = problem as NodeJS.ErrnoException;
      const why = getSystemErrorMap().get(errno ?? 0)?.[1] ?? message;
      throw new McpFarmError(`no farm can be had: '${shown}' cannot be run (${why}); ${INSTALL}`);
    });
    // Writing to a program that has already ended must not raise.
    child.stdin?.on("error", () => undefined);
    const line = await Promise.race([firstLine(child), failed]);
    const said = parsed(line, keys);
    if (said === undefined) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
      const told = readFileSync(join(folder, "errors"), "utf8").split("\n");
      const last = told.map((each) => each.replace(/^[ │╭╮╰╯─]+|[ │╭╮╰╯─]+$/g, "")).findLast((each) => each !== "");
      const why = last ?? `it ended with ${child.signalCode ?? `status ${child.exitCode}`}`;
      throw new McpFarmError(`'${shown} ${args.join(" ")}' starts no ${what}: ${why}; ${INSTALL}`);
    }
    // The farm does not keep this process alive; when this process ends, the pipe closes and the farm ends.
    child.stdout?.destroy();
    (child.stdin as Socket | null)?.unref();
    child.unref();
    return { said, close: () => end(child) };
  } finally {
    closeSync(errors);
    rmSync(folder, { recursive: true });
  }
}

/** Close the standard input of a process, and wait until it has ended. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.ref();
  child.stdin?.end();
  const giveUp = setTimeout(() => child.kill("SIGKILL"), END_MS_MAX);
  await ended;
  clearTimeout(giveUp);
}

/** Return the first line of a process's output; all of it if it ends before. */
async function firstLine(child: ChildProcess): Promise<string> {
  const giveUp = setTimeout(() => child.kill("SIGKILL"), START_MS_MAX);
  let written = "";
  try {
    for await (const part of child.stdout ?? []) {
      written += String(part);
      if (written.includes("\n")) return written;
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    return written;
  } finally {
    clearTimeout(giveUp);
  }
}

function parsed(line: string, keys: readonly string[]): Record<string, string> | undefined {
  try {
    const said = JSON.parse(line) as Record<string, string> | null;
    return said !== null && keys.every((key) => typeof said[key] === "string") ? said : undefined;
  } catch {
    return undefined;
  }
}

/** Split a command line into words as a shell does, including quotes and backslashes. */
export function wordsOf(line: string): string[] {
  const words = line.match(/(?:\\.|"(?:\\.|[^"\\])*"|'[^']*'|[^\s\\"'])+/gs) ?? [];
  return words.map((word) =>
    word.replace(/\\(.)|"((?:\\.|[^"\\])*)"|'([^']*)'/gs, (_, escaped?: string, double?: string, single?: string) =>
      escaped ?? double?.replace(/\\(["\\$`])/g, "$1") ?? single ?? "",
    ),
  );
}
