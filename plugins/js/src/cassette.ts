/** Cassettes: a recorded session in the place of an app's server or of a model. */

import { existsSync } from "node:fs";
import { basename, extname, resolve } from "node:path";

import { assertionFailed, McpFarmError } from "./errors.js";
import { startCommand, type Started } from "./started.js";
import { requireKnown } from "./values.js";
import { requireFitting } from "./versions.js";
import { send } from "./wire.js";
import { Call, Calls, type Connection, type McpConfig } from "./world.js";

const MODES = ["none", "once", "new_episodes", "all"] as const;

/** When a cassette records, by the words of vcrpy. */
export type RecordMode = (typeof MODES)[number];

/** The address of what is recorded, or what `world.connection(app)` returns. */
export type Server = string | Connection;

/** The options of a cassette. */
export interface CassetteOptions {
  /** What is recorded; a function is called only for a recording. */
  server?: Server | (() => Server | Promise<Server>);
  /** `once` by default; `MCP_FARM_RECORD_MODE` replaces the mode of all tests. */
  mode?: RecordMode;
  /** Values of a request that are not compared, such as `params.arguments.uuid`. */
  ignore?: readonly string[];
  /** Whether it is a model, by the APIs of OpenAI, Anthropic or Gemini; `server` is its base URL. */
  model?: boolean;
}

interface Status {
  calls: { n: number; tool: string; arguments: unknown; result: Record<string, unknown>; refused: boolean }[];
  mismatches: string[];
  unplayed: string[];
}

/** A recorded session, served on a port of this machine. */
export class Cassette {
  #closed = false;
  readonly #started: Started;
  readonly #headers: Record<string, string>;

  private constructor(
    /** Its file. */
    readonly path: string,
    /** The MCP server's URL, for a cassette of an app. */
    readonly url: string,
    /** The base URL for Anthropic's and Gemini's clients, for a cassette of a model. */
    readonly root: string,
    headers: Record<string, string>,
    started: Started,
  ) {
    this.#headers = headers;
    this.#started = started;
  }

  /** @internal */
  static async open(command: readonly string[], path: string, options: CassetteOptions): Promise<Cassette> {
    requireKnown(options, ["server", "mode", "ignore", "model"], "a cassette");
    const file = resolve(path);
    const mode = process.env["MCP_FARM_RECORD_MODE"] || options.mode || "once";
    const mayRecord = mode === "all" || mode === "new_episodes" || (mode === "once" && !existsSync(file));
    const found = mayRecord && typeof options.server === "function" ? await options.server() : options.server;
    const server = mayRecord && typeof found !== "function" ? found : undefined;
    const { url, headers } = typeof server === "string" ? { url: server, headers: {} } : (server ?? { url: undefined, headers: {} });
    const words = ["cassette", file, "--ephemeral", "--mode", mode, ...(options.model ? ["--model"] : [])];
    if (url !== undefined) words.push("--server", url);
    for (const each of options.ignore ?? []) words.push("--ignore", each);
    const started = await startCommand(command, words, "cassette", ["url", "root", "version"]);
    try {
      requireFitting(started.said["version"] ?? "", `the cassettes of '${command.join(" ")}'`);
    } catch (problem) {
      await started.close();
      throw problem;
    }
    return new Cassette(file, started.said["url"] ?? "", started.said["root"] ?? "", { ...headers }, started);
  }

  /** The base URL for OpenAI's clients, for a cassette of a model. */
  get baseUrl(): string {
    return `${this.root}/v1`;
  }

  get #name(): string {
    return basename(this.path, extname(this.path));
  }

  /** Return `url` and `headers`, the names that most frameworks use. */
  connection(): Connection {
    return { url: this.url, headers: { ...this.#headers } };
  }

  /** Return the server as `{ mcpServers: … }`; its name is the file's, if none is given. */
  mcpConfig(name?: string): McpConfig {
    return { mcpServers: { [name ?? this.#name]: { type: "http", ...this.connection() } } };
  }

  /** Return the tool calls so far; `app` is the file's name, and nothing is known of `wrote` and `now`. */
  async calls(): Promise<Calls> {
    const { calls } = await this.#status();
    return Calls.made(calls.map((each) => new Call({ ...each, app: this.#name, wrote: false, now: "" })), [this.#name]);
  }

  /** Assert that everything recorded was asked for, and nothing else. */
  async assertFinished(): Promise<void> {
    const { mismatches, unplayed } = await this.#status();
    if (mismatches.length > 0) throw new McpFarmError(mismatches.join("\n"));
    if (unplayed.length > 0) {
      throw assertionFailed(`cassette ${basename(this.path)}: ${unplayed.join(", ")} was recorded and not asked for`);
    }
  }

  async #status(): Promise<Status> {
    const { body } = await send("GET", `${this.root}/cassette`, undefined, {});
    return body as Status;
  }

  /**
   * Stop serving; the end of the test does so, too.
   *
   * @throws {@link McpFarmError} a request had no recorded answer.
   */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const { mismatches } = await this.#status();
    await this.#started.close();
    if (mismatches.length > 0) throw new McpFarmError(mismatches.join("\n"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
