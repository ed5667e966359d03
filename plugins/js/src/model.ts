/** Mock models: endpoints that answer from a test's script, served by `farm model`. */

import { assertionFailed, McpFarmError } from "./errors.js";
import { startCommand, type Started } from "./started.js";
import { requireFitting } from "./versions.js";
import { send } from "./wire.js";

/** A turn of a script: a text, calls made at once, or a table as in `docs/testing-agents.md` of mcp-farm. */
export type Turn = string | Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];

/** One request of an agent to a model, and its reply. */
export interface ModelRequest {
  /** The messages since the model's last turn. */
  readonly newest: string;
  /** The names of the tools that the agent offers. */
  readonly tools: readonly string[];
  /** The turn that answered, from 1; `null` if the script had no answer. */
  readonly turn: number | null;
  /** Why the script had no answer. */
  readonly problem: string | null;
  /** The request as it came. */
  readonly body: Readonly<Record<string, unknown>>;
}

interface Made {
  id: string;
  root: string;
  base_url: string;
  api_key: string;
  environment: Record<string, string>;
}

// One server for all tests of this process; it ends with the process.
const servers = new Map<string, Promise<Started>>();

async function serverOf(command: readonly string[]): Promise<string> {
  const key = JSON.stringify(command);
  const started = servers.get(key) ?? startCommand(command, ["model", "--ephemeral"], "models", ["url", "version"]);
  servers.set(key, started);
  const { said } = await started.catch((problem: unknown) => {
    servers.delete(key);
    throw problem;
  });
  requireFitting(said["version"] ?? "", `the models of '${command.join(" ")}'`);
  return said["url"] ?? "";
}

/** A model that answers from a test's script, behind the APIs of OpenAI, Anthropic and Gemini. */
export class ScriptedModel {
  readonly #place: string;
  /** The base URL for OpenAI's clients. */
  readonly baseUrl: string;
  /** The base URL for Anthropic's and Gemini's clients. */
  readonly root: string;
  /** A key for the clients; any is accepted. */
  readonly apiKey: string;
  /** The environment variables by which these clients find the model. */
  readonly environment: Readonly<Record<string, string>>;

  private constructor(server: string, made: Made) {
    this.#place = `${server}/scripts/${made.id}`;
    this.baseUrl = made.base_url;
    this.root = made.root;
    this.apiKey = made.api_key;
    this.environment = made.environment;
  }

  /** @internal */
  static async open(command: readonly string[], script: readonly Turn[]): Promise<ScriptedModel> {
    if (!Array.isArray(script)) throw new McpFarmError("a model's script is a list of turns, such as ['Done.']");
    const server = await serverOf(command);
    const { status, body } = await send("POST", `${server}/scripts`, { turns: script }, {});
    if (status >= 400) throw new McpFarmError((body as { error: { message: string } }).error.message);
    return new ScriptedModel(server, body as Made);
  }

  async #played(): Promise<{ requests: ModelRequest[]; unfinished: string | null }> {
    const { body } = await send("GET", this.#place, undefined, {});
    return body as { requests: ModelRequest[]; unfinished: string | null };
  }

  /** Return the requests so far. */
  async requests(): Promise<ModelRequest[]> {
    return (await this.#played()).requests;
  }

  /** Assert that every turn of the script was used and every request had an answer. */
  async assertFinished(): Promise<void> {
    const { unfinished } = await this.#played();
    if (unfinished !== null) throw assertionFailed(unfinished);
  }

  /** Drop the script; the end of the test does so, too. */
  async close(): Promise<void> {
    await send("DELETE", this.#place, undefined, {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
