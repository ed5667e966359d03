/** Episodes of a farm, over its control API and MCP; uses only Node's own modules. */

import { isDeepStrictEqual } from "node:util";

import { McpFarmError } from "./errors.js";
import type { JsonSchema } from "./tool_arguments.js";
import type { Row } from "./values.js";
import { requireFitting } from "./versions.js";

const TIMEOUT_MS = 120_000;
const PAGE = 1000;
const KEPT_MS = 24 * 60 * 60 * 1000;
const PROTOCOL = "2025-11-25";

/** A row that changed. */
export interface ChangedRow {
  op: "insert" | "update" | "delete";
  /** The columns of the row's key. */
  key: Row;
  /** The row before the change; `null` if it was created. */
  old: Row | null;
  /** The row after the change; `null` if it was deleted. */
  new: Row | null;
  /** The number, within its app, of the last call that changed it; `null` in a comparison with a snapshot. */
  call: number | null;
}

/** App to table to the rows that changed. */
export type Diff = Record<string, Record<string, ChangedRow[]>>;

/** One call of the trace, in the form of the control API. */
export interface TracedCall {
  n: number;
  app: string;
  tool: string;
  arguments: unknown;
  result: Readonly<Record<string, unknown>>;
  refused: boolean;
  wrote: boolean;
  now: string;
  /** Key of the person who called; absent for the one whom the agent works for. */
  by?: string | undefined;
  /** Id of the planned fault that the call fell to; absent otherwise. */
  fault?: string | undefined;
}

/** A row that arrived, or of which a moment came due, while a test moved the clock. */
export interface Arrival {
  app: string;
  /** When it arrived, as RFC 3339 text. */
  at: string;
  table: string;
  /** What it is, in a few words. */
  what: string;
  row: Row;
  /** The row no longer fitted: the row that it belongs to was deleted, or its key was taken. */
  dropped?: true;
  /** The column whose moment came, of a row that was there before. */
  due?: string;
  /** What the person whom the agent works for was notified of. */
  notice?: string;
  /** The key of the person who did it by a rule; absent for what was scheduled. */
  by?: string;
  /** Id of that rule. */
  rule?: string;
  /** What the person did, such as `reply`. */
  do?: string;
}

/** Rules of people who answer, with what they have done and what waits, in the form of the control API. */
export interface Answers {
  rules: { app: string; id: string; who: string; table: string; does: string[]; matched: number; fired: number }[];
  waiting: { at: string; app: string; who: string; do: string; rule: string }[];
  acted: { at: string; app: string; who: string; do: string; rule: string; dropped?: string }[];
}

/** A planned fault with its counts, in the form of the control API. */
export interface PlannedFault {
  app: string;
  id: string;
  kind: string;
  tools: string[];
  matched: number;
  failed: number;
  healed?: true;
}

/** The result of a check. */
export interface Verdict {
  /** `found` is the number of rows that match an `operate` checkpoint. */
  checkpoints: { id: string; score: number; why: string; found?: number }[];
  damage: { why: string }[];
}

/** A person, in the form of the control API. */
export interface KnownPerson {
  person: string;
  name_en: string | null;
  name_zh: string | null;
  email: string | null;
  accounts: Record<string, string>;
}

/** A task's instruction and the episode it needs. */
export interface AskedTask {
  title: string;
  instruction: string;
  system: string;
  world: string;
  apps: string[];
  me: string | null;
  now: string | null;
  calls_max: number;
  episode: { faults?: Row[]; people?: Row[]; world_people?: boolean; arrivals?: boolean; pace?: string; user?: Row };
}

interface Holder {
  token: string | null;
  apps: string[];
}

interface MadeEpisode extends Holder {
  id: string;
  me: string;
  mcp: Record<string, string>;
  holders?: Record<string, Holder>;
}

interface Answer {
  status: number;
  body: unknown;
}

type Query = Record<string, string | number>;

/** Send one request and return its status and parsed body. */
/** Send a request with a JSON body and return the answer, parsed. */
export async function send(method: string, url: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
  const { protocol, origin } = URL.canParse(url) ? new URL(url) : { protocol: "", origin: "" };
  if (protocol !== "http:" && protocol !== "https:") {
    throw new McpFarmError(`'${url}' is no URL of a farm; it looks like http://127.0.0.1:8701`);
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
      // A kept connection that the farm has closed meanwhile; only requests that change nothing are sent again.
      if (method !== "GET" || !["UND_ERR_SOCKET", "ECONNRESET"].includes(reason(problem))) throw problem;
      return fetch(url, request);
    });
    status = answer.status;
    text = await answer.text().catch(() => {
      throw new BrokenOffError(`${origin} broke off its answer`);
    });
  } catch (problem) {
    if (problem instanceof BrokenOffError) throw problem;
    throw new McpFarmError(`no farm answers at ${origin} (${reason(problem)}); is it running? 'farm status'`);
  }
  try {
    return { status, body: JSON.parse(text) as unknown };
  } catch {
    throw new McpFarmError(
      `${origin} is no farm (it answered ${status} without JSON); ` +
        "give its operators' URL, such as http://127.0.0.1:8701",
    );
  }
}

/** Return in a word why a request failed. */
function reason(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  if (problem.name === "TimeoutError") return `no answer in ${TIMEOUT_MS / 1000} s`;
  const { code, message } = (problem.cause ?? problem) as { code?: string; message?: string };
  return code ?? message ?? problem.message;
}

/** The connection closed in the middle of an answer. */
class BrokenOffError extends McpFarmError {}

/** A farm's control API. */
export class ControlApi {
  readonly url: string;
  readonly #authorization: string;
  readonly #people = new Map<string, Promise<KnownPerson[]>>();

  private constructor(
    url: string,
    token: string,
    /** The farm's description, for people. */
    readonly where: string,
  ) {
    this.url = url;
    this.#authorization = `Bearer ${token}`;
  }

  /**
   * Connect to a farm at its operators' URL with its token.
   *
   * @throws {@link McpFarmError} no farm answers there, the token is wrong, or the version does not match.
   */
  static async connect(given: string, token: string, where?: string): Promise<ControlApi> {
    const url = given.replace(/\/+$/, "").replace(/\/v1$/, "");
    const api = new ControlApi(url, token, where ?? `the farm at ${url}`);
    const { version } = await api.ask<{ version: string }>("GET", "/v1/farm");
    requireFitting(String(version), api.where);
    return api;
  }

  /** Send a request to the control API and return its answer. */
  async ask<Body>(method: string, path: string, body?: unknown, query: Query = {}): Promise<Body> {
    const given = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    const target = `${this.url}${path}${given.length > 0 ? `?${given.join("&")}` : ""}`;
    const answer = await send(method, target, body, { authorization: this.#authorization });
    if (answer.status === 401) {
      throw new McpFarmError(`${this.where} wants another token; its file is what 'farm status' calls token`);
    }
    if (answer.status >= 400) {
      const told = (answer.body as { error?: { message?: string } } | null)?.error?.message;
      throw new McpFarmError(told ?? `${this.where}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body as Body;
  }

  /** Create an episode; `wishes` are the keys of the control API's create request. */
  async create(wishes: Readonly<Record<string, unknown>>): Promise<Episode> {
    // Episodes of a killed test run must not stay on a permanent farm forever.
    const expires_at = new Date(Date.now() + KEPT_MS).toISOString();
    const made = await this.ask<MadeEpisode>("POST", "/v1/episodes", { ...wishes, label: "vitest", expires_at });
    return new Episode(this, made);
  }

  /**
   * Return every person of an episode's world.
   *
   * People depend on the world, its apps and its start only. They are requested once, because the request takes as long
   * as a new episode.
   */
  async people({ world, apps, now, rows }: Readonly<Record<string, unknown>>, episode: Episode): Promise<KnownPerson[]> {
    const key = JSON.stringify([world, apps, now, rows]);
    const found = this.#people.get(key) ?? episode.people();
    this.#people.set(key, found);
    return found.catch((problem: unknown) => {
      this.#people.delete(key);
      throw problem;
    });
  }

  /** Return a task's instruction and the episode it needs. */
  async task(name: string): Promise<AskedTask> {
    const [suite, task, ...more] = name.split("/");
    if (!suite || !task || more.length > 0) {
      throw new McpFarmError(`a task is named SUITE/TASK, not '${name}'; 'farm tasks list' shows them`);
    }
    return this.ask("GET", `/v1/tasks/${encodeURIComponent(suite)}/${encodeURIComponent(task)}`);
  }
}

// What MCP's SDKs make of an answer that never comes.
const NO_ANSWER = -32000;
let requests = 0;

/** One episode of a farm. Times are RFC 3339 texts; every method may throw {@link McpFarmError}. */
export class Episode {
  readonly id: string;
  token: string | null;
  readonly me: string;
  readonly apps: readonly string[];
  readonly #urls: Readonly<Record<string, string>>;
  readonly #at: string;
  /** App to the number of its calls already inspected. */
  readonly #seen = new Map<string, number>();
  /** App to our latest call; the next call begins only after that one was inspected. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(
    private readonly api: ControlApi,
    private readonly made: MadeEpisode,
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
      throw new McpFarmError(`no app '${app}' in this world; it has ${Object.keys(this.#urls).join(", ")}`);
    }
    return url;
  }

  /** Return the same episode as another person uses it: with their token and their apps. */
  async as(person: string): Promise<Episode> {
    const known = this.made.holders ?? {};
    const holder = Object.hasOwn(known, person) ? known[person] : undefined;
    const { token, apps } = holder ?? (await this.api.ask<Holder>("POST", `${this.#at}/holders`, { me: person }));
    return new Episode(this.api, { ...this.made, token, apps, me: person, holders: { ...known, [person]: { token, apps } } });
  }

  /** Return a call's result, and whether it was refused; for some apps, only the trace records that. */
  async call(app: string, tool: string, given: Readonly<Record<string, unknown>>): Promise<Outcome> {
    const before = this.#last.get(app);
    const made = (async () => {
      await before?.catch(() => undefined); // reported to its own caller
      return this.#call(app, tool, given);
    })();
    this.#last.set(app, made);
    return made;
  }

  async #call(app: string, tool: string, given: Readonly<Record<string, unknown>>): Promise<Outcome> {
    const { result, error } = await this.#mcp(app, "tools/call", { name: tool, arguments: given });
    if (result === undefined) return { result: { error }, refused: true };
    const seen = this.#seen.get(app) ?? 0;
    const since = await this.#callsAfter(seen, { app, results: 0 });
    this.#seen.set(app, seen + since.length);
    // An agent may have made calls meanwhile; ours is the latest of this tool with our arguments.
    const sent: unknown = JSON.parse(JSON.stringify(given));
    const own =
      since.findLast((each) => each.tool === tool && isDeepStrictEqual(each.arguments, sent)) ??
      since.findLast((each) => each.tool === tool);
    return { result, refused: result["isError"] === true || own?.refused === true };
  }

  /** Send an app's server a request. */
  async #mcp(app: string, method: string, params: object): Promise<{ result?: Outcome["result"]; error: { message: string } }> {
    const headers: Record<string, string> = {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": PROTOCOL,
      ...(this.token === null ? {} : { authorization: `Bearer ${this.token}` }),
    };
    requests += 1;
    const request = { jsonrpc: "2.0", id: requests, method, params };
    const { status, body } = await send("POST", this.url(app), request, headers).catch((problem: unknown) => {
      if (!(problem instanceof BrokenOffError)) throw problem;
      return { status: 200, body: { error: { code: NO_ANSWER, message: "Connection closed" } } };
    });
    const answer = body as { result?: Outcome["result"]; error: { message: string } };
    if (answer.result === undefined && [401, 403, 404, 421].includes(status)) throw new McpFarmError(answer.error.message);
    return answer;
  }

  /** Return tool to its `inputSchema`, for the tools of an app that the world shows. */
  async tools(app: string): Promise<Record<string, JsonSchema>> {
    const found: [string, JsonSchema][] = [];
    let cursor: unknown;
    do {
      const { result } = await this.#mcp(app, "tools/list", cursor === undefined ? {} : { cursor });
      const listed = (result?.["tools"] ?? []) as { name: string; inputSchema: JsonSchema }[];
      found.push(...listed.map((each) => [each.name, each.inputSchema] as [string, JsonSchema]));
      cursor = result?.["nextCursor"];
    } while (cursor !== undefined);
    return Object.fromEntries(found);
  }

  /** Return the changes since the start or a snapshot. */
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
      if (page.length === 0) return found; // a page of long calls has fewer calls
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

  /** Return every person of the world. */
  async people(): Promise<KnownPerson[]> {
    return (await this.api.ask<{ people: KnownPerson[] }>("GET", `${this.#at}/people`)).people;
  }

  /** Return the verdict on checkpoints, and the other changes. */
  async check(expectations: object): Promise<Verdict> {
    return this.api.ask("POST", `${this.#at}/check`, expectations);
  }

  /** Return the simulated time. */
  async now(): Promise<string> {
    return (await this.api.ask<{ now: string }>("GET", `${this.#at}/clock`)).now;
  }

  /** Move the simulated time, and return it with what arrived. */
  async move(by: Readonly<Record<string, unknown>>): Promise<{ now: string; came: Arrival[] }> {
    return this.api.ask("POST", `${this.#at}/clock`, by);
  }

  /** Return the rules of people who answer, what they have done, and what waits. */
  async answers(): Promise<Answers> {
    return this.api.ask("GET", `${this.#at}/people/rules`);
  }

  /** Let a person answer by a rule, and return the rule's id. */
  async addPersonRule(rule: Readonly<Record<string, unknown>>): Promise<string> {
    return (await this.api.ask<{ id: string }>("POST", `${this.#at}/people/rules`, rule)).id;
  }

  /** Return every planned fault with its counts. */
  async faults(): Promise<PlannedFault[]> {
    return (await this.api.ask<{ faults: PlannedFault[] }>("GET", `${this.#at}/faults`)).faults;
  }

  /** Plan a fault and return it. */
  async addFault(rule: Readonly<Record<string, unknown>>): Promise<PlannedFault> {
    return this.api.ask("POST", `${this.#at}/faults`, rule);
  }

  /** End a planned fault and return it. */
  async healFault(app: string, id: string): Promise<PlannedFault> {
    return this.api.ask("DELETE", `${this.#at}/faults/${encodeURIComponent(app)}/${encodeURIComponent(id)}`);
  }

  /** Issue a new bearer in place of the episode's, and return it. */
  async renewToken(): Promise<string> {
    const { token } = await this.api.ask<{ token: string }>("POST", `${this.#at}/token`, {});
    this.token = token;
    return token;
  }

  /** Save a snapshot over all apps and return its name. */
  async snapshot(name?: string): Promise<string> {
    const wish = name === undefined ? {} : { name };
    return (await this.api.ask<{ snapshot: string }>("POST", `${this.#at}/snapshots`, wish)).snapshot;
  }

  /** Restore rows, calls and clock from a snapshot. */
  async restore(snapshot: string): Promise<void> {
    await this.api.ask("POST", `${this.#at}/restore`, { snapshot });
    this.#seen.clear();
  }

  /** Return a copy of the current state or of a snapshot. */
  async fork(snapshot?: string): Promise<Episode> {
    const wish = snapshot === undefined ? {} : { snapshot };
    return new Episode(this.api, await this.api.ask<MadeEpisode>("POST", `${this.#at}/fork`, wish));
  }

  /** Drop the episode. */
  async close(): Promise<void> {
    await this.api.ask("DELETE", this.#at);
  }
}

/** The outcome of a tool call. */
export interface Outcome {
  result: Readonly<Record<string, unknown>>;
  refused: boolean;
}
