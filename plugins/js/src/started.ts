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

/** A farm in its own processes. It ends when no process holds the other end of its standard input. */
export class StartedFarm {
  readonly #process: ChildProcess;

  private constructor(
    readonly url: string,
    readonly token: string,
    /** Its description, for people. */
    readonly where: string,
    process: ChildProcess,
  ) {
    this.#process = process;
  }

  /**
   * Start a farm and wait until it is ready.
   *
   * @param command - the command that starts `farm`, as a command line or in words
   * @throws {@link McpFarmError} the command cannot be run, or starts no farm.
   */
  static async start(command: string | readonly string[]): Promise<StartedFarm> {
    const words = typeof command === "string" ? wordsOf(command) : command;
    const shown = words.join(" ");
    const [program, ...rest] = words;
    if (program === undefined) throw new McpFarmError(`the command that starts a farm is empty; ${INSTALL}`);
    const folder = mkdtempSync(join(tmpdir(), "mcp-farm-test-"));
    const errors = openSync(join(folder, "errors"), "w");
    try {
      // In its own process group, so that Ctrl-C in a terminal ends the tests first.
      const child = spawn(program, [...rest, "up", "--ephemeral"], {
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
      const said = parsed(line);
      if (said === undefined) {
        if (child.exitCode === null && child.signalCode === null) {
          child.kill("SIGKILL");
          await once(child, "exit");
        }
        const told = readFileSync(join(folder, "errors"), "utf8").split("\n");
        const last = told.map((each) => each.replace(/^[ │╭╮╰╯─]+|[ │╭╮╰╯─]+$/g, "")).findLast((each) => each !== "");
        const why = last ?? `it ended with ${child.signalCode ?? `status ${child.exitCode}`}`;
        throw new McpFarmError(`'${shown} up --ephemeral' starts no farm: ${why}; ${INSTALL}`);
      }
      // The farm does not keep this process alive; when this process ends, the pipe closes and the farm ends.
      child.stdout?.destroy();
      (child.stdin as Socket | null)?.unref();
      child.unref();
      return new StartedFarm(said.url, said.token, `the farm started with '${shown}'`, child);
    } finally {
      closeSync(errors);
      rmSync(folder, { recursive: true });
    }
  }

  /** Release the farm, and wait until it has ended. */
  async close(): Promise<void> {
    const child = this.#process;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.ref();
    child.stdin?.end();
    const giveUp = setTimeout(() => child.kill("SIGKILL"), END_MS_MAX);
    await ended;
    clearTimeout(giveUp);
  }
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

function parsed(line: string): { url: string; token: string } | undefined {
  try {
    const said = JSON.parse(line) as { url?: unknown; token?: unknown } | null;
    const { url, token } = said ?? {};
    return typeof url === "string" && typeof token === "string" ? { url, token } : undefined;
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
