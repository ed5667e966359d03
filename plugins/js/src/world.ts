/** A test's own world: its servers, what was done in it, and assertions on that. */

import { inspect, isDeepStrictEqual } from "node:util";

import { assertionFailed, FarmProblem, ToolRefused } from "./errors.js";
import { failure, textOf } from "./show.js";
import { Person, plain, requireKnown, type Row } from "./values.js";
import type { Diff, Episode, KnownPerson, TracedCall, Verdict } from "./wire.js";

/** What became of a row. */
export type Change = "create" | "update" | "delete";

const CHANGES = { insert: "create", update: "update", delete: "delete" } as const;
const UNITS_S = { weeks: 604_800, days: 86_400, hours: 3600, minutes: 60, seconds: 1 } as const;

/** A step of simulated time, as in `{ days: 1, hours: 2 }`. */
export type Duration = { [Unit in keyof typeof UNITS_S]?: number };

/** How a client reaches an app's MCP server. */
export interface Connection {
  url: string;
  headers: Record<string, string>;
}

/** The servers in the form of Claude-style configuration files. */
export interface McpConfig {
  mcpServers: Record<string, { type: "http" } & Connection>;
}

/** Which rows are to have changed, and to what. */
export interface ChangeWish {
  /** What makes a row the right one: of a new row as it is, of any other as it was. */
  where?: Readonly<Record<string, unknown>>;
  /** What it must hold now. */
  after?: Readonly<Record<string, unknown>>;
  /** What must have happened; any of the three when absent. */
  change?: Change;
  /** How many rows; 1 when absent. */
  count?: number;
}

/** What checkpoints are judged with. */
export interface CheckpointOptions {
  /** What the agent said last. */
  answer?: string;
  /** What else may change, as `[[allow]]` of a task. */
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
  /** The simulated time at which it was made, as RFC 3339 text. */
  readonly now: string;
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
    this.result = traced.result;
  }

  /** What the result says in words. */
  get text(): string {
    return textOf(this.result);
  }
}

/** The calls that were made, in order. */
export class Calls extends Array<Call> {
  #apps: readonly string[] = [];

  /** @internal */
  static made(calls: readonly Call[], apps: readonly string[]): Calls {
    const made = Calls.from(calls) as Calls;
    made.#apps = apps;
    return made;
  }

  /** What `map` and its like make of calls are plain arrays. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** Those that an app refused. */
  get refused(): Call[] {
    return this.filter((each) => each.refused);
  }

  /** The names of the tools, in the order of the calls. */
  get tools(): string[] {
    return this.map((each) => each.tool);
  }

  /**
   * Return those of an app, or of one of its tools.
   *
   * @throws {@link FarmProblem} the world has no such app.
   */
  of(app: string, tool?: string): Calls {
    if (!this.#apps.includes(app)) throw new FarmProblem(`no app '${app}' in this world; it has ${this.#apps.join(", ")}`);
    const found = this.filter((each) => each.app === app && (tool === undefined || each.tool === tool));
    return Calls.made(found, this.#apps);
  }
}

/** The world's simulated time, which stands still until somebody moves it, but for a millisecond each call that writes. */
export class Clock {
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
    if (Object.keys(by).length === 0) throw new FarmProblem("say how far the clock goes, as in advance({ hours: 2 })");
    let advance_s = 0;
    for (const [unit, length] of Object.entries(UNITS_S) as [keyof Duration, number][]) {
      advance_s += (plain(by[unit] ?? 0, `advance.${unit}`) as number) * length;
    }
    return new Date(await this.#episode().move({ advance_s }));
  }

  /** Move the time forward to a moment, a `Date` or RFC 3339 text, and return it. */
  async advanceTo(moment: Date | string): Promise<Date> {
    return new Date(await this.#episode().move({ to: plain(moment, "moment") }));
  }
}

/** From where on calls and changes count: so many calls are given, and what had changed at a snapshot. */
interface Begin {
  readonly calls: number;
  readonly snapshot?: string;
}

/** Told of each world that comes to be, to drop it in the end. */
export type Keep = (world: World) => void;

/**
 * Some apps of a world in one episode, which is this test's alone.
 *
 * `await using` and the fixture drop it; so does {@link World.close}.
 */
export class World {
  /** The episode's id. */
  readonly id: string;
  readonly apps: readonly string[];
  /** The bearer that an agent's client sends; `null` where none is asked for. */
  readonly token: string | null;
  /** The simulated time. */
  readonly clock: Clock;
  readonly #opened: Episode;
  readonly #keep: Keep;
  #begin: Begin = { calls: 0 };
  /** Snapshot to what counted when it was taken. */
  readonly #begunAt = new Map<string, Begin>();
  /** Table, with its app, to what was found changed. */
  readonly #asserted = new Map<string, Row[]>();
  #closing = false;
  #closed = false;
  readonly #running = new Set<{ what: string }>();
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
  static of(name: string, known: readonly KnownPerson[], episode: Episode, keep: Keep): World {
    const people = known.map((each) => {
      const person = new Person(each.person, each.name_en ?? each.name_zh ?? each.person, each.email, each.accounts);
      return [each.person, person] as const;
    });
    return new World(name, Object.fromEntries(people), episode, keep);
  }

  get #episode(): Episode {
    if (this.#closed) throw new FarmProblem("this world is closed; make another, or close it later");
    return this.#opened;
  }

  #requireApp(app: string): void {
    if (!this.apps.includes(app)) {
      throw new FarmProblem(`no app '${app}' in this world; it has ${this.apps.join(", ")}`);
    }
  }

  // -- how an agent reaches it ------------------------------------------------------------------------------------

  /** Return the URL of an app's MCP server (Streamable HTTP). */
  url(app: string): string {
    return this.#episode.url(app);
  }

  /** App to URL of its MCP server. */
  get urls(): Record<string, string> {
    return Object.fromEntries(this.apps.map((app) => [app, this.url(app)]));
  }

  /** Return `url` and `headers`, as most frameworks take them by these names. */
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

  // -- who is in it -----------------------------------------------------------------------------------------------

  /** The person whose accounts the servers act for. */
  get me(): Person {
    const me = this.people[this.#episode.me];
    if (me === undefined) throw new Error(`every world has a protagonist, '${this.#episode.me}' is nobody`);
    return me;
  }

  // -- what is and was done ---------------------------------------------------------------------------------------

  /**
   * Call a tool as an agent would and return the body of its answer: parsed where it is JSON, else the text.
   *
   * @typeParam Body - what the body is taken to be; nothing checks it
   * @throws {@link ToolRefused} the app refused; the message is the vendor's.
   */
  async call<Body = unknown>(
    app: string,
    tool: string,
    args: Readonly<Record<string, unknown>> = {},
  ): Promise<Body> {
    const { result, refused } = await this.#episode.call(app, tool, args);
    if (refused) throw new ToolRefused(app, tool, textOf(result), result);
    return bodyOf(result) as Body;
  }

  /** Return the tool calls that were made since the start, the test's own included. */
  async calls(): Promise<Calls> {
    const trace = await this.#trace();
    return Calls.made(trace.map((each) => new Call(each)), this.apps);
  }

  async #trace(): Promise<TracedCall[]> {
    return (await this.#episode.calls()).slice(this.#begin.calls);
  }

  /** Return the rows of a table, by key; those that hold the given values, as they are stored. */
  async rows(app: string, table: string, where: Readonly<Record<string, unknown>> = {}): Promise<Row[]> {
    const wanted = Object.entries(where).map(([name, value]) => {
      if (value === undefined) throw new FarmProblem(`where.${name} is undefined, so that it asks for nothing`);
      const stored = value instanceof Person ? value.accounts[app] : value;
      if (stored === undefined) throw new FarmProblem(`${(value as Person).key} has no account in ${app}`);
      if (typeof stored === "object" && stored !== null) {
        const shown = inspect(stored, { breakLength: Infinity });
        throw new FarmProblem(
          `rows hold text, numbers and null, not ${shown}, for ${name}; assertChanged compares times and operators`,
        );
      }
      return [name, stored] as const;
    });
    const rows = await this.#episode.rows(app, table);
    const [first] = rows;
    const odd = first && wanted.find(([name]) => !Object.hasOwn(first, name));
    if (odd) throw new FarmProblem(`no column '${odd[0]}' in ${app}.${table}; have ${Object.keys(first).join(", ")}`);
    if (first === undefined && wanted.length > 0) {
      // The farm's own words name the columns there are, which no row tells.
      const point = { id: "columns", kind: "operate", change: "update", app, table };
      await this.#check({ checkpoints: [{ ...point, where: Object.fromEntries(wanted.map(([name]) => [name, null])) }] });
    }
    return rows.filter((row) => wanted.every(([name, value]) => isDeepStrictEqual(row[name], value)));
  }

  /** Return app to table to the rows that changed since the start or a snapshot, with `old` and `new`. */
  async diff(since?: string): Promise<Diff> {
    return this.#episode.diff(since ?? this.#begin.snapshot ?? "start");
  }

  /** Take all that was done so far as given: calls, changes and assertions look at what comes from here on. */
  async startHere(): Promise<void> {
    this.#begin = { calls: (await this.#episode.calls()).length, snapshot: await this.#episode.snapshot() };
    this.#asserted.clear();
  }

  // -- copies -----------------------------------------------------------------------------------------------------

  /** Save a consistent cut over all apps and return its name. */
  async snapshot(name?: string): Promise<string> {
    const saved = await this.#episode.snapshot(name);
    this.#begunAt.set(saved, this.#begin);
    return saved;
  }

  /** Bring rows, calls and clock back to a snapshot, and what counts as given as well. */
  async restore(name: string): Promise<void> {
    await this.#episode.restore(name);
    this.#begin = this.#begunAt.get(name) ?? this.#begin;
    this.#asserted.clear();
  }

  /**
   * Return a copy, as it stands or as it was at a snapshot, with its calls; each goes its own way from there.
   *
   * Where something counts as given (`startHere`), all that the copy comes with does.
   */
  async fork(snapshot?: string): Promise<World> {
    return this.forkFor(this.#keep, snapshot);
  }

  /** @internal */
  async forkFor(keep: Keep, snapshot?: string): Promise<World> {
    // A copy's accounts are those of the original.
    const copy = new World(this.name, this.people, await this.#episode.fork(snapshot), keep);
    const begin = snapshot === undefined ? this.#begin : (this.#begunAt.get(snapshot) ?? this.#begin);
    if (begin.snapshot !== undefined) await copy.startHere();
    return copy;
  }

  // -- assertions -------------------------------------------------------------------------------------------------

  /**
   * Assert that `count` rows of a table, such as `"lark.events"`, were created, updated or deleted.
   *
   * Values are compared as a task's checkpoints compare them: times as moments in whatever form the app stores
   * them, `{ claims: […] }` and other operators by what a text says, a {@link Person} by the account.
   */
  async assertChanged(table: string, wish: ChangeWish = {}): Promise<void> {
    await this.#asserting("assertChanged", () => this.#assertChanged(table, wish));
  }

  async #assertChanged(table: string, wish: ChangeWish): Promise<void> {
    requireKnown(wish, ["where", "after", "change", "count"], "assertChanged");
    const odd = Object.entries(wish).find(([, value]) => value === undefined);
    if (odd) throw new FarmProblem(`${odd[0]} is undefined, so that it asks for nothing; leave it out`);
    const { app, name } = this.#table(table);
    const { change, count = 1 } = wish;
    const where = plain(wish.where ?? {}, "where") as Row;
    const after = plain(wish.after ?? {}, "after") as Row;
    const hasAfter = Object.keys(after).length > 0;
    const changed = (await this.diff())[app]?.[name] ?? [];
    const seen = new Set<Change>(changed.map((row) => CHANGES[row.op]));
    if (hasAfter) seen.delete("delete");
    const kinds = change === undefined ? [...seen].sort() : [change];
    if (changed.length === 0) await this.#requireTable(app, name);
    const point = { kind: "operate", app, table: name, where, after, count };
    // Asked though nothing changed, so that a wrong name is told as such.
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
      throw await this.#failed(best.score < 1 ? best.why : both);
    }
    const full = verdicts.filter((each) => (each.found ?? 0) > 0);
    // Found again by assertOnly, however much of it changed.
    const columns = Object.keys(changed[0]?.new ?? changed[0]?.old ?? {});
    const was = full.map(({ id, found }) => ({
      ...point,
      change: id,
      count: found,
      may_change: id === "update" ? columns : [],
    }));
    this.#asserted.set(`${app}.${name}`, [...(this.#asserted.get(`${app}.${name}`) ?? []), ...was]);
  }

  /**
   * Assert that nothing changed in any app but rows of these tables; without one, that nothing changed at all.
   *
   * Of a table of which `assertChanged` has found rows, those may have changed and no others.
   * What the apps themselves move, such as a channel's last message, does not count. What was done and undone
   * where others noticed it does.
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
   * @param checkpoints - as `[[checkpoints]]` of a task; their `id` may be left out
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
      checkpoints: plain(named, "checkpoints"),
      allow: plain(options.allow ?? [], "allow"),
      lookups: plain(options.lookups ?? {}, "lookups"),
      answer: options.answer ?? "",
    };
    await this.#requireVerdict(await this.#check(wish));
  }

  /** Assert that a task, such as `"demo/lark-new-room"`, was done in this world, and nothing beside it. */
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

  /** Return app and table; where there is one app only, it need not be named. */
  #table(table: string): { app: string; name: string } {
    if (typeof table !== "string") {
      throw new FarmProblem(`a table is named by a text such as 'slack.messages', not ${inspect(table)}`);
    }
    const [app = "", ...rest] = table.split(".");
    const name = rest.join(".");
    const [first = ""] = this.apps;
    if (rest.length === 0 && this.apps.length === 1) return { app: first, name: table };
    if (name === "") {
      const example = `${first}.${(rest.length === 0 && table) || "events"}`;
      throw new FarmProblem(`a table is named with its app, as in '${example}', not '${table}'`);
    }
    this.#requireApp(app);
    return { app, name };
  }

  async #requireTable(app: string, table: string): Promise<void> {
    // The farm's own words name the tables there are.
    await this.#episode.rows(app, table);
  }

  async #failed(why: string): Promise<Error> {
    return assertionFailed(failure(why, await this.#trace(), await this.diff()));
  }

  /** Remember an assertion while it runs, so that one which nobody awaits is told. */
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

  /** Return what was called and what changed, for a report. */
  async record(): Promise<{ world: string; apps: readonly string[]; calls: TracedCall[]; diff: Diff }> {
    return { world: this.name, apps: this.apps, calls: await this.#trace(), diff: await this.diff() };
  }

  /**
   * Drop the episode; the fixture does it.
   *
   * @throws {@link FarmProblem} an assertion still runs, which the test would have passed without.
   */
  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    const forgotten = [...this.#running].map(({ what }) => what);
    if (forgotten.length > 0) await new Promise<void>((done) => (this.#whenDone = done));
    this.#closed = true;
    await this.#opened.close();
    if (forgotten.length > 0) {
      throw new FarmProblem(`${forgotten.join(", ")} was still running when the test ended; write 'await' before it`);
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
      // It only began like JSON.
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
