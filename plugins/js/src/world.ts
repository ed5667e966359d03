/** A test's own world: its servers, the calls and changes in it, and assertions on them. */

import { inspect, isDeepStrictEqual } from "node:util";

import { assertionFailed, McpFarmError, ToolRefusedError } from "./errors.js";
import { failure, short, textOf, trace } from "./show.js";
import { hasPath, undeclared, type JsonSchema } from "./tool_arguments.js";
import { Person, requireKnown, toJsonValue, type Row } from "./values.js";
import type { Answers, Arrival, Diff, Episode, KnownPerson, PlannedFault, TracedCall, Verdict } from "./wire.js";

/** The kind of a row's change. */
export type Change = "create" | "update" | "delete";

const CHANGES = { insert: "create", update: "update", delete: "delete" } as const;
// Shorter ids stand in other words, too.
const ID_MIN = 6;
const NAME_COLUMNS = ["name", "title", "summary", "subject"];
const UNITS_S = { weeks: 604_800, days: 86_400, hours: 3600, minutes: 60, seconds: 1 } as const;

/** A step of simulated time, as in `{ days: 1, hours: 2 }`. */
export type Duration = { [Unit in keyof typeof UNITS_S]?: number };

/** The address of an app's MCP server, for a client. */
export interface Connection {
  url: string;
  headers: Record<string, string>;
}

/** The servers in the form of Claude-style configuration files. */
export interface McpConfig {
  mcpServers: Record<string, { type: "http" } & Connection>;
}

/** The rows that should have changed, and their new values. */
export interface ChangeWish {
  /** Selects rows: a created row by its new values, any other by its old values. */
  where?: Readonly<Record<string, unknown>>;
  /** The values that the row must have now. */
  after?: Readonly<Record<string, unknown>>;
  /** The required kind of change; by default, any of the three. */
  change?: Change;
  /** The number of rows; 1 by default. */
  count?: number;
}

/** When a rule of a person is in force. */
export interface WhenOptions {
  /** The kind of change; by default, `create`. */
  change?: Change;
  /** How often in all: once by default, 0 for each time. */
  times?: number;
  /** A column for whose values `times` and `nth` count apart. */
  per?: string;
  /** Only the nth such row. */
  nth?: number;
  /** Id of an earlier rule, after whose end this one is in force. */
  afterRule?: string;
  /** Id of an earlier rule, whose end ends this one. */
  unless?: string;
  /** `anyone`, if what other people do counts as well. */
  by?: "agent" | "anyone";
  /** A name for the trace. */
  id?: string;
}

const WHEN_OPTIONS = ["change", "times", "per", "nth", "afterRule", "unless", "by", "id"];

/** What a person waits for; each of the methods lets them do one thing then. */
export class When {
  readonly #episode: () => Episode;
  readonly #rule: Readonly<Record<string, unknown>>;

  constructor(episode: () => Episode, rule: Readonly<Record<string, unknown>>) {
    this.#episode = episode;
    this.#rule = rule;
  }

  /**
   * Let the person do something, and return the rule's id.
   *
   * @param step - the verb's arguments, `after`, the delay, and `app`, if it is not that of the row
   * @throws {@link McpFarmError} an app, table, column, verb or argument does not exist.
   */
  async does(verb: string, step: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const { when, ...rest } = this.#rule as { when: Record<string, unknown> };
    const kept = (given: object): Record<string, unknown> =>
      Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const rule = { ...kept(rest), when: kept(when), then: [{ do: verb, ...kept(step) }] };
    return this.#episode().addPersonRule(toJsonValue(named(rule), "rule") as Record<string, unknown>);
  }

  /** Let the person answer with a text where the row is; of several texts, one is drawn by the world's seed. */
  async reply(text: string | readonly string[], step: { after?: string } = {}): Promise<string> {
    return this.does("reply", { text, ...step });
  }

  /** Let the person put an emoji on the row. */
  async react(emoji: string, step: { after?: string } = {}): Promise<string> {
    return this.does("react", { emoji, ...step });
  }
}

/** Return a value with people by their keys, as rules name them. */
function named(value: unknown): unknown {
  if (value instanceof Person) return `@${value.key}`;
  if (Array.isArray(value)) return value.map(named);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, named(each)]));
}

/** Which calls a planned fault makes fail, and how. */
export interface FaultOptions {
  /** A tool, a glob, `"reads"` or `"writes"`, or several; by default, all. */
  tool?: string | readonly string[];
  /** Argument to its value, or to operators such as `{ contains: "invoice" }`. */
  where?: Readonly<Record<string, unknown>>;
  /** Which attempts of one and the same call fail; `[1]` if nothing else is said. */
  attempts?: readonly number[];
  /** Which of the matching calls fail, by order of arrival. */
  calls?: readonly number[];
  /** The part of the matching calls that fails, drawn by the world's seed. */
  share?: number;
  /** The simulated time from which calls fail. */
  from?: Date | string;
  /** The simulated time until which calls fail. */
  until?: Date | string;
  /** The delay that the vendor promises, such as `"30s"`. */
  retryAfter?: string;
  /** The number of failed calls after which the fault is over. */
  healsAfter?: number;
  /** How late a `slow` answer comes, such as `"3s"`. */
  delay?: string;
  /** The largest page of a `partial` answer. */
  itemsMax?: number;
  /** A name for the trace. */
  id?: string;
}

const FAULT_OPTIONS = [
  ...["tool", "where", "attempts", "calls", "share", "from", "until", "retryAfter", "healsAfter", "delay", "itemsMax", "id"],
] as const;

/** The options of a check. */
export interface CheckpointOptions {
  /** The agent's last message. */
  answer?: string;
  /** Other permitted changes, as `[[allow]]` of a task. */
  allow?: readonly Readonly<Record<string, unknown>>[];
  /** As `[lookups]` of a task. */
  lookups?: Readonly<Record<string, unknown>>;
}

/** One tool call. */
export class Call {
  /** Its position in the trace, from 1. */
  readonly n: number;
  readonly app: string;
  readonly tool: string;
  readonly arguments: unknown;
  /** Whether the app refused it. */
  readonly refused: boolean;
  readonly wrote: boolean;
  /** The simulated time of the call, as RFC 3339 text. */
  readonly now: string;
  /** Key of the person who called; `undefined` for the one whom the agent works for. */
  readonly by: string | undefined;
  /** Id of the planned fault that the call fell to; `undefined` for none. */
  readonly fault: string | undefined;
  /** The CallToolResult, or `{ error: … }`. */
  readonly result: Readonly<Record<string, unknown>>;

  constructor(traced: TracedCall) {
    this.n = traced.n;
    this.app = traced.app;
    this.tool = traced.tool;
    this.arguments = traced.arguments;
    this.refused = traced.refused;
    this.wrote = traced.wrote;
    this.now = traced.now;
    this.by = traced.by;
    this.fault = traced.fault;
    this.result = traced.result;
  }

  /** The text of the result. */
  get text(): string {
    return textOf(this.result);
  }
}

async function bodyOfCall<Body>(
  episode: Episode,
  app: string,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<Body> {
  const { result, refused } = await episode.call(app, tool, args);
  if (refused) throw new ToolRefusedError(app, tool, textOf(result), result);
  return bodyOf(result) as Body;
}

/** A world as one of its people uses it; rows, assertions and the clock are the world's. */
export class ActingPerson {
  #acting: Promise<Episode> | undefined;
  readonly #episode: () => Episode;

  /** @internal */
  constructor(
    /** The person's key. */
    readonly key: string,
    episode: () => Episode,
  ) {
    this.#episode = episode;
  }

  async #at(app?: string): Promise<Episode> {
    const episode = this.#episode(); // a closed world refuses
    this.#acting ??= episode.as(this.key);
    const acting = await this.#acting;
    if (app !== undefined && !acting.apps.includes(app)) {
      throw new McpFarmError(`'${this.key}' has no account in ${app}; has ${acting.apps.join(", ")}`);
    }
    return acting;
  }

  /** Return the apps where the person has an account, and those without accounts. */
  async apps(): Promise<readonly string[]> {
    return (await this.#at()).apps;
  }

  /** Call a tool as this person would; as {@link World.call} otherwise. */
  async call<Body = unknown>(app: string, tool: string, args: Readonly<Record<string, unknown>> = {}): Promise<Body> {
    return bodyOfCall<Body>(await this.#at(app), app, tool, args);
  }

  /** Return `url` and `headers` for this person's client. */
  async connection(app: string): Promise<Connection> {
    const acting = await this.#at(app);
    const headers: Record<string, string> = acting.token === null ? {} : { Authorization: `Bearer ${acting.token}` };
    return { url: acting.url(app), headers };
  }
}

/** App to tool to its `inputSchema`. */
type Tools = Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;

/** The recorded calls, in order. */
export class Calls extends Array<Call> {
  #apps: readonly string[] = [];
  #tools: Tools | undefined;

  /**
   * @param tools - app to its tools; without it, any name may be asked for
   * @internal
   */
  static made(calls: readonly Call[], apps: readonly string[], tools?: Tools): Calls {
    const made = Calls.from(calls) as Calls;
    made.#apps = apps;
    made.#tools = tools;
    return made;
  }

  /** Throw an error for a tool that could never have a call. */
  #requireTool(tool: string, app?: string): void {
    if (this.#tools === undefined) return;
    const known = (app === undefined ? Object.values(this.#tools) : [this.#tools[app] ?? {}]).flatMap(Object.keys);
    if (known.includes(tool)) return;
    const words = tool.split("_");
    const shared = (name: string): number => name.split("_").filter((word) => words.includes(word)).length;
    const [nearest] = known.toSorted((one, other) => shared(other) - shared(one));
    const meant = nearest !== undefined && shared(nearest) > 0 ? `; did you mean '${nearest}'?` : "";
    const where = app ?? "this world";
    throw new McpFarmError(`no tool '${tool}' in ${where}; see 'farm tools ${app ?? this.#apps[0]}'${meant}`);
  }

  /** Throw an error for an argument that neither the tool declares nor a call of it has. */
  #requireArguments(tool: string, app: string | undefined, args: Row, named: readonly Call[]): void {
    const apps = Object.entries(this.#tools ?? {}).filter(([each]) => app === undefined || each === app);
    const schemas = apps.flatMap(([, tools]) => (Object.hasOwn(tools, tool) ? [tools[tool] as JsonSchema] : []));
    const isSent = (path: string): boolean => named.some((each) => hasPath(each.arguments, path));
    const problems = schemas.map((schema) => undeclared(schema, args).filter(({ path }) => !isSent(path)));
    const [wrong] = problems.some((each) => each.length === 0) ? [] : problems.flat();
    if (wrong) throw new McpFarmError(`${tool} has no argument '${wrong.path}'; ${wrong.declared}`);
  }

  /** `map` and similar methods return plain arrays. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** The calls that an app refused by itself; those of planned faults are in {@link faulted}. */
  get refused(): Call[] {
    return this.filter((each) => each.refused && each.fault === undefined);
  }

  /** The calls that fell to a planned fault: refused, lost, late or cut. */
  get faulted(): Call[] {
    return this.filter((each) => each.fault !== undefined);
  }

  /** The names of the tools, in the order of the calls. */
  get tools(): string[] {
    return this.map((each) => each.tool);
  }

  /**
   * Return the calls of an app, or of one of its tools.
   *
   * @throws {@link McpFarmError} the world has no such app.
   */
  forApp(app: string, tool?: string): Calls {
    if (!this.#apps.includes(app)) throw new McpFarmError(`no app '${app}' in this world; it has ${this.#apps.join(", ")}`);
    const found = this.filter((each) => each.app === app && (tool === undefined || each.tool === tool));
    return Calls.made(found, this.#apps);
  }

  // -- assertions -------------------------------------------------------------------------------------------------

  /**
   * Return the calls of a tool, written as `tool` or `app.tool`, with at least these arguments.
   *
   * @throws {@link McpFarmError} the world has no such app or tool, or the tool no such argument, so it could never
   * have such a call.
   */
  matching(tool: string, args: Readonly<Record<string, unknown>> = {}): Calls {
    const dot = tool.indexOf(".");
    const app = dot < 0 ? undefined : tool.slice(0, dot);
    if (app !== undefined) this.forApp(app);
    const isNamed = (each: Call): boolean => each.tool === tool || (each.app === app && each.tool === tool.slice(dot + 1));
    const wanted = toJsonValue(args, "arguments");
    const named = this.filter(isNamed);
    if (named.length === 0) this.#requireTool(tool.slice(dot + 1), app);
    this.#requireArguments(tool.slice(dot + 1), app, wanted as Row, named);
    return Calls.made(named.filter((each) => includes(each.arguments, wanted)), this.#apps, this.#tools);
  }

  /** Assert that a tool was called with at least these arguments, `times` times or at least once. */
  assertCalled(tool: string, args: Readonly<Record<string, unknown>> = {}, times?: number): void {
    if (times !== undefined && !Number.isInteger(times)) {
      throw new McpFarmError(`times is a number of calls, such as 2, not ${inspect(times)}`);
    }
    const found = this.matching(tool, args);
    if (times === undefined ? found.length > 0 : found.length === times) return;
    const wish = times === undefined ? "" : ` ${times} times`;
    const given = Object.keys(args).length > 0 ? ` with ${short(args)}` : "";
    throw assertionFailed(`expected ${tool} to be called${wish}${given}, found ${found.length}\n\n${trace(this)}`);
  }

  /** Assert that a tool was never called with these arguments. */
  assertNotCalled(tool: string, args: Readonly<Record<string, unknown>> = {}): void {
    const found = this.matching(tool, args);
    if (found.length === 0) return;
    const given = found.map((each) => `#${each.n}`).join(", ");
    throw assertionFailed(`expected no call of ${tool}, found ${given}\n\n${trace(this)}`);
  }

  /** Assert that these tools were called in this order; other calls may lie between. */
  assertOrder(...tools: readonly string[]): void {
    let at = 0;
    for (const [place, tool] of tools.entries()) {
      const next = this.matching(tool).find((each) => each.n > at);
      if (next === undefined) {
        const after = place > 0 ? ` after ${tools[place - 1]}` : "";
        throw assertionFailed(`expected a call of ${tool}${after}, found none\n\n${trace(this)}`);
      }
      at = next.n;
    }
  }
}

/** Return whether a value has at least what is wanted, in objects at any depth. */
function includes(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null || Array.isArray(wanted)) return isDeepStrictEqual(value, wanted);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(wanted).every(([name, each]) => Object.hasOwn(value, name) && includes((value as Row)[name], each));
}

/** A planned fault of a world. */
export class Fault {
  readonly #episode: () => Episode;

  /** @internal */
  constructor(
    /** The app whose calls fail. */
    readonly app: string,
    /** Its name in the trace. */
    readonly id: string,
    /** How they fail. */
    readonly kind: string,
    episode: () => Episode,
  ) {
    this.#episode = episode;
  }

  /** Return how many calls its tools and arguments fit, and how many of them failed by it. */
  async counts(): Promise<{ matched: number; failed: number }> {
    const found = (await this.#episode().faults()).find((each) => each.app === this.app && each.id === this.id);
    return { matched: found?.matched ?? 0, failed: found?.failed ?? 0 };
  }

  /** End it: further calls succeed. */
  async heal(): Promise<void> {
    await this.#episode().healFault(this.app, this.id);
  }
}

/** The world's simulated time; it is frozen until a test moves it, except for 1 ms for each call that writes. */
export class Clock {
  /** What arrived by the last move, in order over all apps. */
  came: readonly Arrival[] = [];
  readonly #episode: () => Episode;

  /** @internal */
  constructor(episode: () => Episode) {
    this.#episode = episode;
  }

  /** Return the time. */
  async now(): Promise<Date> {
    return new Date(await this.#episode().now());
  }

  /** Return the time as text (RFC 3339) in the world's zone, which a `Date` does not keep. */
  async text(): Promise<string> {
    return this.#episode().now();
  }

  /** Move the time forward, as in `advance({ days: 1, hours: 2 })`, and return it. */
  async advance(by: Duration): Promise<Date> {
    requireKnown(by, Object.keys(UNITS_S), "a step of the clock");
    if (Object.keys(by).length === 0) throw new McpFarmError("say how far the clock goes, as in advance({ hours: 2 })");
    let advance_s = 0;
    for (const [unit, length] of Object.entries(UNITS_S) as [keyof Duration, number][]) {
      advance_s += (toJsonValue(by[unit] ?? 0, `advance.${unit}`) as number) * length;
    }
    return this.#move({ advance_s });
  }

  /** Move the time forward to a moment, a `Date` or RFC 3339 text, and return it. */
  async advanceTo(moment: Date | string): Promise<Date> {
    return this.#move({ to: toJsonValue(moment, "moment") });
  }

  /**
   * Move the time to the next arrival, and return what arrived.
   *
   * @throws {@link McpFarmError} nothing waits to arrive.
   */
  async next(): Promise<readonly Arrival[]> {
    await this.#move({ next: true });
    return this.came;
  }

  /** Move the time until nothing waits to arrive, and return what arrived. */
  async untilQuiet(): Promise<readonly Arrival[]> {
    await this.#move({ quiet: true });
    return this.came;
  }

  /** Let so many seconds of simulated time pass in one of this machine's: 0 is frozen, 1 is live. */
  async setRate(rate: number): Promise<void> {
    await this.#move({ rate });
  }

  async #move(by: Readonly<Record<string, unknown>>): Promise<Date> {
    const { now, came } = await this.#episode().move(by);
    this.came = came;
    return new Date(now);
  }
}

/** The point from which calls and changes count: the number of earlier calls, and the changes at a snapshot. */
interface Begin {
  readonly calls: number;
  readonly snapshot?: string;
}

/** Receives each new world, to drop it at the end. */
export type Keep = (world: World) => void;

/**
 * Some apps of a world in one episode, for this test alone.
 *
 * `await using` and the fixture drop it; so does {@link World.close}.
 */
export class World {
  /** The episode's id. */
  readonly id: string;
  readonly apps: readonly string[];
  /** The bearer that an agent's client sends; `null` if none is required. */
  token: string | null;
  /** The simulated time. */
  readonly clock: Clock;
  readonly #opened: Episode;
  readonly #keep: Keep;
  #begin: Begin = { calls: 0 };
  /** Snapshot to the point from which calls and changes counted when it was taken. */
  readonly #begunAt = new Map<string, Begin>();
  /** Table, with its app, to the changed rows that assertions found. */
  readonly #asserted = new Map<string, Row[]>();
  #closing = false;
  #closed = false;
  readonly #running = new Set<{ what: string }>();
  #tools: Promise<Tools> | undefined;
  #whenDone: () => void = () => undefined;

  private constructor(
    /** The world's name. */
    readonly name: string,
    /** Key to person, in the world's order. */
    readonly people: Readonly<Record<string, Person>>,
    episode: Episode,
    keep: Keep,
  ) {
    this.#opened = episode;
    this.#keep = keep;
    this.id = episode.id;
    this.apps = episode.apps;
    this.token = episode.token;
    this.clock = new Clock(() => this.#episode);
    keep(this);
  }

  /** @internal */
  static create(name: string, known: readonly KnownPerson[], episode: Episode, keep: Keep): World {
    const people = known.map((each) => {
      const person = new Person(each.person, each.name_en ?? each.name_zh ?? each.person, each.email, each.accounts);
      return [each.person, person] as const;
    });
    return new World(name, Object.fromEntries(people), episode, keep);
  }

  get #episode(): Episode {
    if (this.#closed) throw new McpFarmError("this world is closed; make another, or close it later");
    return this.#opened;
  }

  #requireApp(app: string): void {
    if (!this.apps.includes(app)) {
      throw new McpFarmError(`no app '${app}' in this world; it has ${this.apps.join(", ")}`);
    }
  }

  // -- connections for agents -------------------------------------------------------------------------------------

  /** Return the URL of an app's MCP server (Streamable HTTP). */
  url(app: string): string {
    return this.#episode.url(app);
  }

  /** App to URL of its MCP server. */
  get urls(): Record<string, string> {
    return Object.fromEntries(this.apps.map((app) => [app, this.url(app)]));
  }

  /** Return `url` and `headers`, the names that most frameworks use. */
  connection(app: string): Connection {
    const headers: Record<string, string> = this.token === null ? {} : { Authorization: `Bearer ${this.token}` };
    return { url: this.url(app), headers };
  }

  /** Return the servers as `{ mcpServers: … }`, the form of Claude-style configuration files. */
  mcpConfig(): McpConfig {
    return {
      mcpServers: Object.fromEntries(this.apps.map((app) => [app, { type: "http", ...this.connection(app) }])),
    };
  }

  // -- people -----------------------------------------------------------------------------------------------------

  /** The person whose accounts the servers act for. */
  get me(): Person {
    const me = this.people[this.#episode.me];
    if (me === undefined) throw new Error(`every world has a protagonist, '${this.#episode.me}' is nobody`);
    return me;
  }

  // -- calls and rows ---------------------------------------------------------------------------------------------

  /**
   * Call a tool as an agent would and return the body of its answer: parsed if it is JSON, else the text.
   *
   * @typeParam Body - the assumed type of the body; it is not checked
   * @throws {@link ToolRefusedError} the app refused; the message is the vendor's.
   */
  async call<Body = unknown>(
    app: string,
    tool: string,
    args: Readonly<Record<string, unknown>> = {},
  ): Promise<Body> {
    return bodyOfCall<Body>(this.#episode, app, tool, args);
  }

  /**
   * Return this world as another person uses it: the same rows, and calls made with their accounts.
   *
   * `await world.as("ben").call("slack", "slack_post_message", …)`; who does not exist, or has no account, is refused
   * by the first call.
   */
  as(person: string | Person): ActingPerson {
    const key = person instanceof Person ? person.key : person;
    if (typeof key !== "string") throw new McpFarmError(`a person is named by the key, not ${inspect(key)}`);
    return new ActingPerson(key, () => this.#episode);
  }

  /** Return the tool calls since the start, including the test's own. */
  async calls(): Promise<Calls> {
    const trace = await this.#trace();
    return Calls.made(trace.map((each) => new Call(each)), this.apps, await this.#listTools());
  }

  /**
   * Make calls of an app fail from now on, the same ones in every run.
   *
   * `await world.fault("slack", "rate_limited", { tool: "slack_post_message" })`: the first attempt of each such call is
   * refused in Slack's words, and its retry succeeds.
   *
   * @param kind - in the vendor's words `rate_limited`, `token_expired`, `no_permission`, `server_error`, `timeout`, or
   * `lost` (done, but the answer is a time-out); `unavailable` (HTTP 503), `unauthorized` (401 until {@link World.renewToken}), `dropped` (the connection breaks off),
   * `slow`, `partial` (a short page)
   * @throws {@link McpFarmError} an app, kind, tool, argument or value does not exist.
   */
  async fault(app: string, kind: string, options: FaultOptions = {}): Promise<Fault> {
    this.#requireApp(app);
    requireKnown(options, FAULT_OPTIONS, "a fault");
    const { tool, retryAfter, healsAfter, itemsMax, ...same } = options;
    const tools = typeof tool === "string" ? [tool] : tool;
    const given = { ...same, kind, app, tools, retry_after: retryAfter, heals_after: healsAfter, items_max: itemsMax };
    const rule = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const made = await this.#episode.addFault(toJsonValue(rule, "fault") as Record<string, unknown>);
    return this.#faultOf(made);
  }

  /**
   * Issue a new token in place of the world's, which is refused from then on, and return it. A fault of the kind
   * `unauthorized` by which the old one has expired is over.
   */
  async renewToken(): Promise<string> {
    this.token = await this.#episode.renewToken();
    return this.token;
  }

  /** Return the planned faults. */
  async faults(): Promise<Fault[]> {
    return (await this.#episode.faults()).map((each) => this.#faultOf(each));
  }

  #faultOf(made: PlannedFault): Fault {
    return new Fault(made.app, made.id, made.kind, () => this.#episode);
  }

  /**
   * Return what lets a person act when an agent's call changes a row.
   *
   * `await world.when("ben", "slack.messages", { channel: "#opening" }).reply("24.", { after: "5m" })`
   *
   * @param table - as `app.table`
   * @param where - column, or what the app knows around a row, to its value or operators
   */
  when(who: string | Person, table: string, where: Readonly<Record<string, unknown>> = {}, options: WhenOptions = {}): When {
    requireKnown(options, WHEN_OPTIONS, "a rule");
    const [app, name] = table.split(".");
    if (name === undefined) {
      throw new McpFarmError(`a table is written as app.table, such as slack.messages, not '${table}'`);
    }
    const { change, afterRule, ...same } = options;
    const when = { app, table: name, change, where };
    return new When(() => this.#episode, { who: typeof who === "string" ? who : who.key, when, after_rule: afterRule, ...same });
  }

  /** Return the rules of people who answer, what they have done, and what waits. */
  async answers(): Promise<Answers> {
    return this.#episode.answers();
  }

  /** Assert that faults struck, what they kept from being done was done later, and nothing was done twice. */
  async assertRecovered(app?: string): Promise<void> {
    await this.#asserting("assertRecovered", () => this.#assertPredicate("recovered", app === undefined ? {} : { app }));
  }

  /** Assert that faults struck, and no failed call was made again within so many seconds of simulated time. */
  async assertBackedOff(waitS = 30, app?: string): Promise<void> {
    const options = { wait_s: waitS, ...(app === undefined ? {} : { app }) };
    await this.#asserting("assertBackedOff", () => this.#assertPredicate("backed_off", options));
  }

  async #assertPredicate(predicate: string, options: Readonly<Record<string, unknown>>): Promise<void> {
    const { checkpoints } = await this.#check({ checkpoints: [{ id: predicate, kind: "other", predicate, ...options }] });
    for (const { score, why } of checkpoints) if (score < 1) throw await this.#failed(why);
  }

  /** Return the tools of each app, which do not change. */
  async #listTools(): Promise<Tools> {
    this.#tools ??= Promise.all(this.apps.map(async (app) => [app, await this.#episode.tools(app)] as const)).then(
      (listed) => Object.fromEntries(listed),
    );
    return this.#tools;
  }

  async #trace(): Promise<TracedCall[]> {
    return (await this.#episode.calls()).slice(this.#begin.calls);
  }

  /** Return the rows of a table, by key; `where` selects rows with these stored values. */
  async rows(app: string, table: string, where: Readonly<Record<string, unknown>> = {}): Promise<Row[]> {
    const wanted = Object.entries(where).map(([name, value]) => {
      if (value === undefined) throw new McpFarmError(`where.${name} is undefined, so that it asks for nothing`);
      const stored = value instanceof Person ? value.accounts[app] : value;
      if (stored === undefined) throw new McpFarmError(`${(value as Person).key} has no account in ${app}`);
      if (typeof stored === "object" && stored !== null) {
        const shown = inspect(stored, { breakLength: Infinity });
        throw new McpFarmError(
          `rows hold text, numbers and null, not ${shown}, for ${name}; assertChanged compares times and operators`,
        );
      }
      return [name, stored] as const;
    });
    const rows = await this.#episode.rows(app, table);
    const [first] = rows;
    const odd = first && wanted.find(([name]) => !Object.hasOwn(first, name));
    if (odd) throw new McpFarmError(`no column '${odd[0]}' in ${app}.${table}; have ${Object.keys(first).join(", ")}`);
    if (first === undefined && wanted.length > 0) {
      // The farm's own error lists the valid columns, which rows alone do not show.
      const point = { id: "columns", kind: "operate", change: "update", app, table };
      await this.#check({ checkpoints: [{ ...point, where: Object.fromEntries(wanted.map(([name]) => [name, null])) }] });
    }
    for (const [name, value] of wanted) {
      const stored = rows.map((row) => row[name]).find((each) => each !== null) ?? value;
      if (value !== null && (typeof stored === "string") !== (typeof value === "string")) {
        const kind = typeof stored === "string" ? "text" : "numbers";
        throw new McpFarmError(`${app}.${table}.${name} holds ${kind}, such as ${inspect(stored)}, not ${inspect(value)}`);
      }
    }
    return rows.filter((row) => wanted.every(([name, value]) => isDeepStrictEqual(row[name], value)));
  }

  /** Return app to table to the rows that changed since the start or a snapshot, with `old` and `new`. */
  async diff(since?: string): Promise<Diff> {
    return this.#episode.diff(since ?? this.#begin.snapshot ?? "start");
  }

  /** Ignore all earlier calls and changes: calls, diffs and assertions count only what follows. */
  async startHere(): Promise<void> {
    this.#begin = { calls: (await this.#episode.calls()).length, snapshot: await this.#episode.snapshot() };
    this.#asserted.clear();
  }

  // -- copies -----------------------------------------------------------------------------------------------------

  /** Save a consistent snapshot over all apps and return its name. */
  async snapshot(name?: string): Promise<string> {
    const saved = await this.#episode.snapshot(name);
    this.#begunAt.set(saved, this.#begin);
    return saved;
  }

  /** Restore rows, calls and clock from a snapshot, and the point from which changes count. */
  async restore(name: string): Promise<void> {
    await this.#episode.restore(name);
    this.#begin = this.#begunAt.get(name) ?? this.#begin;
    this.#asserted.clear();
  }

  /**
   * Return a copy of the current state or of a snapshot, with its calls; the two are independent from then on.
   *
   * If `startHere` was called before that state, the copy starts to count at its own creation.
   */
  async fork(snapshot?: string): Promise<World> {
    return this.forkFor(this.#keep, snapshot);
  }

  /** @internal */
  async forkFor(keep: Keep, snapshot?: string): Promise<World> {
    // A copy has the accounts of the original.
    const copy = new World(this.name, this.people, await this.#episode.fork(snapshot), keep);
    const begin = snapshot === undefined ? this.#begin : (this.#begunAt.get(snapshot) ?? this.#begin);
    if (begin.snapshot !== undefined) await copy.startHere();
    return copy;
  }

  // -- assertions -------------------------------------------------------------------------------------------------

  /**
   * Assert that `count` rows of a table, such as `"lark.events"`, were created, updated or deleted.
   *
   * Values are compared as in a task's checkpoints: times as moments in whatever form the app stores them,
   * `{ claims: […] }` and other operators by what a text asserts, a {@link Person} by the account.
   */
  async assertChanged(table: string, wish: ChangeWish = {}): Promise<void> {
    await this.#asserting("assertChanged", () => this.#assertChanged(table, wish));
  }

  async #assertChanged(table: string, wish: ChangeWish): Promise<void> {
    requireKnown(wish, ["where", "after", "change", "count"], "assertChanged");
    const odd = Object.entries(wish).find(([, value]) => value === undefined);
    if (odd) throw new McpFarmError(`${odd[0]} is undefined, so that it asks for nothing; leave it out`);
    const { app, name } = this.#table(table);
    const { change, count = 1 } = wish;
    const where = toJsonValue(wish.where ?? {}, "where") as Row;
    const after = toJsonValue(wish.after ?? {}, "after") as Row;
    const hasAfter = Object.keys(after).length > 0;
    const changed = (await this.diff())[app]?.[name] ?? [];
    const seen = new Set<Change>(changed.map((row) => CHANGES[row.op]));
    if (hasAfter) seen.delete("delete");
    const kinds = change === undefined ? [...seen].sort() : [change];
    if (changed.length === 0) await this.#requireTable(app, name);
    const point = { kind: "operate", app, table: name, where, after, count };
    // Checked even if nothing changed, so that a wrong name is reported as such.
    const asked = (kinds.length > 0 ? kinds : ["update"]).map((kind) => ({ ...point, id: kind, change: kind }));
    const { checkpoints: verdicts } = await this.#check({ checkpoints: asked });
    if (kinds.length === 0) {
      const what = hasAfter ? "was created or updated" : "changed";
      throw await this.#failed(`expected a row of ${table} to change${worded(wish.where)}; none ${what}`);
    }
    const best = verdicts.reduce((one, other) => (other.score > one.score ? other : one));
    if (verdicts.reduce((sum, each) => sum + (each.found ?? 0), 0) !== count) {
      const found = verdicts.map((each) => `${each.found} ${each.id}d`).join(", ");
      const both = `expected ${count} of ${table} to change${worded(wish.where)}, found ${found}`;
      if (best.score === 1) throw await this.#failed(both);
      throw await this.#failed([best.why, ...(await this.#hints(app, { ...where, ...after }))].join("\n"));
    }
    const full = verdicts.filter((each) => (each.found ?? 0) > 0);
    // assertOnly finds these rows again, however many of their columns changed.
    const columns = Object.keys(changed[0]?.new ?? changed[0]?.old ?? {});
    const was = full.map(({ id, found }) => ({
      ...point,
      change: id,
      count: found,
      may_change: id === "update" ? columns : [],
      free: id === "create" ? ["*"] : [],
    }));
    this.#asserted.set(`${app}.${name}`, [...(this.#asserted.get(`${app}.${name}`) ?? []), ...was]);
  }

  /**
   * Assert that only rows of these tables changed in any app; without tables, that nothing changed at all.
   *
   * In a table in which `assertChanged` has found rows, only those rows may have changed.
   * Columns that the apps update themselves, such as a channel's last message, do not count.
   * Reverted changes count if other people noticed them.
   */
  async assertOnly(...tables: readonly string[]): Promise<void> {
    await this.#asserting("assertOnly", () => this.#assertOnly(tables));
  }

  async #assertOnly(tables: readonly string[]): Promise<void> {
    const allow = [];
    const asserted: Row[] = [];
    for (const table of tables) {
      const { app, name } = this.#table(table);
      const found = this.#asserted.get(`${app}.${name}`) ?? [];
      asserted.push(...found);
      if (found.length > 0) continue;
      await this.#requireTable(app, name);
      allow.push({ app, table: name });
    }
    const checkpoints = asserted.map((each, index) => ({ ...each, id: `asserted-${index + 1}` }));
    const { damage } = await this.#check({ checkpoints, allow });
    if (damage.length > 0) {
      const wish = tables.length > 0 ? `nothing but ${tables.join(", ")}` : "nothing";
      throw await this.#failed(`expected ${wish} to change; ${reasons(damage).join("; ")}`);
    }
  }

  /**
   * Assert that checkpoints hold, written as in a task file, and that nothing else changed.
   *
   * @param checkpoints - as `[[checkpoints]]` of a task; their `id` is optional
   */
  async assertCheckpoints(
    checkpoints: readonly Readonly<Record<string, unknown>>[],
    options: CheckpointOptions = {},
  ): Promise<void> {
    await this.#asserting("assertCheckpoints", () => this.#assertCheckpoints(checkpoints, options));
  }

  async #assertCheckpoints(
    checkpoints: readonly Readonly<Record<string, unknown>>[],
    options: CheckpointOptions,
  ): Promise<void> {
    requireKnown(options, ["answer", "allow", "lookups"], "assertCheckpoints");
    const named = checkpoints.map((each, index) => ({ id: `checkpoint-${index + 1}`, ...each }));
    const wish = {
      checkpoints: toJsonValue(named, "checkpoints"),
      allow: toJsonValue(options.allow ?? [], "allow"),
      lookups: toJsonValue(options.lookups ?? {}, "lookups"),
      answer: options.answer ?? "",
    };
    await this.#requireVerdict(await this.#check(wish));
  }

  /** Assert that a task, such as `"demo/lark-new-room"`, was done in this world, and nothing else. */
  async assertTask(name: string, answer = ""): Promise<void> {
    await this.#asserting("assertTask", async () => this.#requireVerdict(await this.#check({ task: name, answer })));
  }

  async #requireVerdict({ checkpoints, damage }: Verdict): Promise<void> {
    const wrong = [
      ...checkpoints.filter((each) => each.score < 1).map((each) => `${each.id}: ${each.why}`),
      ...reasons(damage).map((why) => `beside that: ${why}`),
    ];
    if (wrong.length > 0) throw await this.#failed(wrong.join("\n"));
  }

  async #check(expectations: object): Promise<Verdict> {
    const { calls, snapshot } = this.#begin;
    const given = snapshot === undefined ? {} : { since: snapshot, calls_after: calls };
    return this.#episode.check({ ...expectations, ...given });
  }

  /** Return app and table; if there is only one app, its name is optional. */
  #table(table: string): { app: string; name: string } {
    if (typeof table !== "string") {
      throw new McpFarmError(`a table is named by a text such as 'slack.messages', not ${inspect(table)}`);
    }
    const [app = "", ...rest] = table.split(".");
    const name = rest.join(".");
    const [first = ""] = this.apps;
    if (rest.length === 0 && this.apps.length === 1) return { app: first, name: table };
    if (name === "") {
      const example = `${first}.${(rest.length === 0 && table) || "events"}`;
      throw new McpFarmError(`a table is named with its app, as in '${example}', not '${table}'`);
    }
    this.#requireApp(app);
    return { app, name };
  }

  async #requireTable(app: string, table: string): Promise<void> {
    // The farm's own error lists the existing tables.
    await this.#episode.rows(app, table);
  }

  async #failed(why: string): Promise<Error> {
    const [calls, diff] = [await this.#trace(), await this.diff()];
    return assertionFailed(failure(why, calls, diff, await this.#names(why, calls, diff)));
  }

  /** Return what was meant where a key of a person, or a name of a row, stands for its id. */
  async #hints(app: string, wanted: Row): Promise<string[]> {
    const hints: string[] = [];
    for (const [column, value] of Object.entries(wanted)) {
      if (typeof value !== "string") continue;
      if (Object.hasOwn(this.people, value)) {
        hints.push(`'${value}' is a person: give world.people["${value}"] for the account`);
      } else if (column.endsWith("_id")) {
        const id = await this.#idCalled(app, `${column.slice(0, -"_id".length)}s`, value);
        if (id !== undefined) hints.push(`${column} holds ids: that of '${value}' is '${id}'`);
      }
    }
    return hints;
  }

  /** Return the id of the row of a table with a name, if there is such a table and row. */
  async #idCalled(app: string, table: string, name: string): Promise<string | undefined> {
    const rows = await this.#episode.rows(app, table).catch((): Row[] => []);
    const plain = name.replace(/^[#@]+/, "");
    const row = rows.find((each) => NAME_COLUMNS.some((column) => each[column] === plain));
    const key = row && Object.keys(row).find((each) => each === "id" || each.endsWith("_id"));
    return key === undefined ? undefined : String(row?.[key]);
  }

  /** Return id to name of the people and of the rows that changed rows refer to, where a failure shows the id. */
  async #names(why: string, calls: readonly TracedCall[], diff: Diff): Promise<Record<string, string>> {
    const text = why + JSON.stringify([calls.map((each) => each.arguments), diff]);
    const names: Record<string, string> = {};
    for (const [app, tables] of Object.entries(diff)) {
      const rows = Object.values(tables).flat();
      const columns = new Set(rows.flatMap((row) => Object.keys(row.new ?? row.old ?? {})));
      for (const column of [...columns].filter((each) => each.endsWith("_id")).sort()) {
        Object.assign(names, await this.#namesIn(app, `${column.slice(0, -"_id".length)}s`, text));
      }
    }
    for (const person of Object.values(this.people)) {
      for (const account of Object.values(person.accounts)) {
        if (account.length >= ID_MIN && text.includes(account)) names[account] = `${person.name}, '${person.key}'`;
      }
    }
    return names;
  }

  /** Return id to name of a table's rows, as far as the text has them; none if there is no such table. */
  async #namesIn(app: string, table: string, text: string): Promise<Record<string, string>> {
    const rows = await this.#episode.rows(app, table).catch((): Row[] => []);
    const found: Record<string, string> = {};
    for (const row of rows) {
      const name = NAME_COLUMNS.map((each) => row[each]).find((each) => each);
      const ids = Object.entries(row).filter(([key]) => key === "id" || key.endsWith("_id"));
      const id = ids.map(([, value]) => value).find((value) => typeof value === "string" && value.length >= ID_MIN && text.includes(value));
      if (name && typeof id === "string") found[id] = short(String(name), 40);
    }
    return found;
  }

  /** Record an assertion while it runs, so that one without `await` is reported. */
  async #asserting(what: string, assertion: () => Promise<void>): Promise<void> {
    const running = { what };
    this.#running.add(running);
    try {
      await assertion();
    } finally {
      this.#running.delete(running);
      if (this.#running.size === 0) this.#whenDone();
    }
  }

  // -- the end ----------------------------------------------------------------------------------------------------

  /** Return the calls and changes, for a report. */
  async record(): Promise<{ world: string; apps: readonly string[]; calls: TracedCall[]; diff: Diff }> {
    return { world: this.name, apps: this.apps, calls: await this.#trace(), diff: await this.diff() };
  }

  /**
   * Drop the episode; the fixture calls this.
   *
   * @throws {@link McpFarmError} an assertion is still running, so the test would have passed without it.
   */
  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    const forgotten = [...this.#running].map(({ what }) => what);
    if (forgotten.length > 0) await new Promise<void>((done) => (this.#whenDone = done));
    this.#closed = true;
    await this.#opened.close();
    if (forgotten.length > 0) {
      throw new McpFarmError(`${forgotten.join(", ")} was still running when the test ended; write 'await' before it`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function reasons(damage: Verdict["damage"]): string[] {
  return [...new Set(damage.map((each) => each.why))];
}

function bodyOf(result: Readonly<Record<string, unknown>>): unknown {
  const text = textOf(result);
  if (/^\s*[{[]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // It only looked like JSON at its beginning.
    }
  }
  const structured = result["structuredContent"] ?? null;
  return structured === null || isDeepStrictEqual(structured, { result: text }) ? text : structured;
}

function worded(where: Readonly<Record<string, unknown>> = {}): string {
  const parts = Object.entries(where).map(([name, value]) => {
    return `${name} ${value instanceof Person ? value.key : inspect(value, { breakLength: Infinity })}`;
  });
  return parts.length > 0 ? ` with ${parts.join(", ")}` : "";
}
