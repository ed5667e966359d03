/** Episodes of a farm, over its control API and MCP; with what Node has alone. */

import { isDeepStrictEqual } from "node:util";

import { FarmProblem } from "./errors.js";
import type { Row } from "./values.js";
import { requireFitting } from "./versions.js";

const TIMEOUT_MS = 120_000;
const PAGE = 1000;
const KEPT_MS = 24 * 60 * 60 * 1000;
const PROTOCOL = "2025-11-25";

/** A row that changed. */
export interface ChangedRow {
  op: "insert" | "update" | "delete";
  /** The columns that make the row's key. */
  key: Row;
  /** The row as it was; `null` when it was created. */
  old: Row | null;
  /** The row as it is; `null` when it was deleted. */
  new: Row | null;
  /** The number, within its app, of the call that changed it last; `null` when compared with a snapshot. */
  call: number | null;
}

/** App to table to the rows that changed. */
export type Diff = Record<string, Record<string, ChangedRow[]>>;

/** One call of the trace, as the control API has it. */
export interface TracedCall {
  n: number;
  app: string;
  tool: string;
  arguments: unknown;
  result: Readonly<Record<string, unknown>>;
  refused: boolean;
  wrote: boolean;
  now: string;
}

/** What a check came to. */
export interface Verdict {
  /** `found` is how many rows are as an `operate` checkpoint wants them. */
  checkpoints: { id: string; score: number; why: string; found?: number }[];
  damage: { why: string }[];
}

/** Somebody, as the control API has them. */
export interface KnownPerson {
  person: string;
  name_en: string | null;
  name_zh: string | null;
  email: string | null;
  accounts: Record<string, string>;
}

/** What a task asks, and the episode that it wants. */
export interface AskedTask {
  title: string;
  instruction: string;
  system: string;
  world: string;
  apps: string[];
  me: string | null;
  now: string | null;
  calls_max: number;
}

interface MadeEpisode {
  id: string;
  token: string | null;
  me: string;
  apps: string[];
  mcp: Record<string, string>;
}

interface Answer {
  status: number;
  body: unknown;
}

type Query = Record<string, string | number>;

/** Send one request and return status and parsed body. */
async function send(method: string, url: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
  const { protocol, origin } = URL.canParse(url) ? new URL(url) : { protocol: "", origin: "" };
  if (protocol !== "http:" && protocol !== "https:") {
    throw new FarmProblem(`'${url}' is no URL of a farm; it looks like http://127.0.0.1:8701`);
  }
  const request: RequestInit = {
    method,
    headers: { "content-type": "application/json", ...headers },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  let status: number;
  let text: string;
  try {
    const answer = await fetch(url, request).catch((problem: unknown) => {
      // A kept connection that the farm has closed meanwhile; only what changes nothing is sent again.
      if (method !== "GET" || !["UND_ERR_SOCKET", "ECONNRESET"].includes(reason(problem))) throw problem;
      return fetch(url, request);
    });
    status = answer.status;
    text = await answer.text();
  } catch (problem) {
    throw new FarmProblem(`no farm answers at ${origin} (${reason(problem)}); is it running? 'farm status'`);
  }
  try {
    return { status, body: JSON.parse(text) as unknown };
  } catch {
    throw new FarmProblem(
      `${origin} is no farm (it answered ${status} without JSON); ` +
        "give its operators' URL, such as http://127.0.0.1:8701",
    );
  }
}

/** Return in a word why a request came to nothing. */
function reason(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  if (problem.name === "TimeoutError") return `no answer in ${TIMEOUT_MS / 1000} s`;
  const { code, message } = (problem.cause ?? problem) as { code?: string; message?: string };
  return code ?? message ?? problem.message;
}

/** A farm's control API. */
export class ControlApi {
  readonly url: string;
  readonly #authorization: string;
  readonly #people = new Map<string, Promise<KnownPerson[]>>();

  private constructor(
    url: string,
    token: string,
    /** What the farm is, for people. */
    readonly where: string,
  ) {
    this.url = url;
    this.#authorization = `Bearer ${token}`;
  }

  /**
   * Reach a farm at its operators' URL with its token.
   *
   * @throws {@link FarmProblem} none answers there, the token is another, or it is of another version.
   */
  static async connect(given: string, token: string, where?: string): Promise<ControlApi> {
    const url = given.replace(/\/+$/, "").replace(/\/v1$/, "");
    const api = new ControlApi(url, token, where ?? `the farm at ${url}`);
    const { version } = await api.ask<{ version: string }>("GET", "/v1/farm");
    requireFitting(String(version), api.where);
    return api;
  }

  /** Return what the control API answers. */
  async ask<Body>(method: string, path: string, body?: unknown, query: Query = {}): Promise<Body> {
    const given = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    const target = `${this.url}${path}${given.length > 0 ? `?${given.join("&")}` : ""}`;
    const answer = await send(method, target, body, { authorization: this.#authorization });
    if (answer.status === 401) {
      throw new FarmProblem(`${this.where} wants another token; its file is what 'farm status' calls token`);
    }
    if (answer.status >= 400) {
      const told = (answer.body as { error?: { message?: string } } | null)?.error?.message;
      throw new FarmProblem(told ?? `${this.where}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body as Body;
  }

  /** Make an episode; `wishes` are the keys of the control API's create. */
  async create(wishes: Readonly<Record<string, unknown>>): Promise<Episode> {
    // What a killed test run leaves on a farm that stays must not stay for ever.
    const expires_at = new Date(Date.now() + KEPT_MS).toISOString();
    const made = await this.ask<MadeEpisode>("POST", "/v1/episodes", { ...wishes, label: "vitest", expires_at });
    return new Episode(this, made);
  }

  /**
   * Return everybody of an episode's world.
   *
   * They are those of its world, with the accounts in its apps: asked for once, as it takes as long as an episode.
   */
  async people({ world, apps, now }: Readonly<Record<string, unknown>>, episode: Episode): Promise<KnownPerson[]> {
    const key = JSON.stringify([world, apps, now]);
    const found = this.#people.get(key) ?? episode.people();
    this.#people.set(key, found);
    return found.catch((problem: unknown) => {
      this.#people.delete(key);
      throw problem;
    });
  }

  /** Return what a task asks, and the episode that it wants. */
  async task(name: string): Promise<AskedTask> {
    const [suite, task, ...more] = name.split("/");
    if (!suite || !task || more.length > 0) {
      throw new FarmProblem(`a task is named SUITE/TASK, not '${name}'; 'farm tasks list' shows them`);
    }
    return this.ask("GET", `/v1/tasks/${encodeURIComponent(suite)}/${encodeURIComponent(task)}`);
  }
}

let requests = 0;

/** One episode of a farm. Times are RFC 3339 texts; every method may throw {@link FarmProblem}. */
export class Episode {
  readonly id: string;
  readonly token: string | null;
  readonly me: string;
  readonly apps: readonly string[];
  readonly #urls: Readonly<Record<string, string>>;
  readonly #at: string;
  /** App to how many of its calls were looked at. */
  readonly #seen = new Map<string, number>();
  /** App to the latest call of ours, for one to begin when the one before was looked at. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(
    private readonly api: ControlApi,
    made: MadeEpisode,
  ) {
    this.id = made.id;
    this.token = made.token;
    this.me = made.me;
    this.apps = made.apps;
    this.#urls = made.mcp;
    this.#at = `/v1/episodes/${encodeURIComponent(made.id)}`;
  }

  /** Return the URL of an app's MCP server. */
  url(app: string): string {
    const url = Object.hasOwn(this.#urls, app) ? this.#urls[app] : undefined;
    if (url === undefined) {
      throw new FarmProblem(`no app '${app}' in this world; it has ${Object.keys(this.#urls).join(", ")}`);
    }
    return url;
  }

  /** Return what a call came to, and whether it was refused, which only the trace knows of every app. */
  async call(app: string, tool: string, given: Readonly<Record<string, unknown>>): Promise<Outcome> {
    const before = this.#last.get(app);
    const made = (async () => {
      await before?.catch(() => undefined); // told to whoever made it
      return this.#call(app, tool, given);
    })();
    this.#last.set(app, made);
    return made;
  }

  async #call(app: string, tool: string, given: Readonly<Record<string, unknown>>): Promise<Outcome> {
    const headers: Record<string, string> = {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": PROTOCOL,
      ...(this.token === null ? {} : { authorization: `Bearer ${this.token}` }),
    };
    requests += 1;
    const request = { jsonrpc: "2.0", id: requests, method: "tools/call", params: { name: tool, arguments: given } };
    const { status, body } = await send("POST", this.url(app), request, headers);
    const { result, error } = body as { result?: Outcome["result"]; error: { message: string } };
    if (result === undefined) {
      if ([401, 403, 404, 421].includes(status)) throw new FarmProblem(error.message);
      return { result: { error }, refused: true };
    }
    const seen = this.#seen.get(app) ?? 0;
    const since = await this.#callsAfter(seen, { app, results: 0 });
    this.#seen.set(app, seen + since.length);
    // An agent may have made calls meanwhile; ours is the latest of this tool with what we gave.
    const sent: unknown = JSON.parse(JSON.stringify(given));
    const own =
      since.findLast((each) => each.tool === tool && isDeepStrictEqual(each.arguments, sent)) ??
      since.findLast((each) => each.tool === tool);
    return { result, refused: result["isError"] === true || own?.refused === true };
  }

  /** Return what changed since the start or a snapshot. */
  async diff(since: string): Promise<Diff> {
    const { apps } = await this.api.ask<{ apps: Diff }>("GET", `${this.#at}/diff`, undefined, { since });
    return Object.fromEntries(Object.entries(apps).filter(([, tables]) => Object.keys(tables).length > 0));
  }

  /** Return the trace. */
  async calls(): Promise<TracedCall[]> {
    return this.#callsAfter(0, {});
  }

  async #callsAfter(after: number, query: Query): Promise<TracedCall[]> {
    const found: TracedCall[] = [];
    for (;;) {
      const asked = { ...query, after: after + found.length, limit: PAGE };
      const page = await this.api.ask<TracedCall[]>("GET", `${this.#at}/calls`, undefined, asked);
      if (page.length === 0) return found; // a page of long calls is a short one
      found.push(...page);
    }
  }

  /** Return every row of a table. */
  async rows(app: string, table: string): Promise<Row[]> {
    const path = `${this.#at}/state/${encodeURIComponent(app)}/${encodeURIComponent(table)}`;
    const found: Row[] = [];
    let after: number | null = 0;
    while (after !== null) {
      const page: { rows: Row[]; next: number | null } = await this.api.ask("GET", path, undefined, {
        after,
        limit: PAGE,
      });
      found.push(...page.rows);
      after = page.next;
    }
    return found;
  }

  /** Return everybody of the world. */
  async people(): Promise<KnownPerson[]> {
    return (await this.api.ask<{ people: KnownPerson[] }>("GET", `${this.#at}/people`)).people;
  }

  /** Return the verdict on checkpoints, and what changed beside them. */
  async check(expectations: object): Promise<Verdict> {
    return this.api.ask("POST", `${this.#at}/check`, expectations);
  }

  /** Return the simulated time. */
  async now(): Promise<string> {
    return (await this.api.ask<{ now: string }>("GET", `${this.#at}/clock`)).now;
  }

  /** Move the simulated time forward, by seconds or to a moment, and return it. */
  async move(by: { advance_s: number } | { to: unknown }): Promise<string> {
    return (await this.api.ask<{ now: string }>("POST", `${this.#at}/clock`, by)).now;
  }

  /** Save a cut over all apps and return its name. */
  async snapshot(name?: string): Promise<string> {
    const wish = name === undefined ? {} : { name };
    return (await this.api.ask<{ snapshot: string }>("POST", `${this.#at}/snapshots`, wish)).snapshot;
  }

  /** Bring rows, calls and clock back to a snapshot. */
  async restore(snapshot: string): Promise<void> {
    await this.api.ask("POST", `${this.#at}/restore`, { snapshot });
    this.#seen.clear();
  }

  /** Return a copy, as it stands or as it was at a snapshot. */
  async fork(snapshot?: string): Promise<Episode> {
    const wish = snapshot === undefined ? {} : { snapshot };
    return new Episode(this.api, await this.api.ask<MadeEpisode>("POST", `${this.#at}/fork`, wish));
  }

  /** Drop the episode. */
  async close(): Promise<void> {
    await this.api.ask("DELETE", this.#at);
  }
}

/** What a tool call came to. */
export interface Outcome {
  result: Readonly<Record<string, unknown>>;
  refused: boolean;
}
