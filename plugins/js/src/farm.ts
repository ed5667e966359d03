/** Find a farm, create worlds on it, and drop them. */

import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

import { Cassette, type CassetteOptions } from "./cassette.js";
import { McpFarmError } from "./errors.js";
import { ScriptedModel, type Turn } from "./model.js";
import { toRequest, type GivenFiles } from "./given_files.js";
import { StartedFarm, wordsOf } from "./started.js";
import { runTrials, type TrialOptions } from "./trials.js";
import { Person, requireKnown, toJsonValue, type Row } from "./values.js";
import { ControlApi, type AskedTask } from "./wire.js";
import { World, type Keep } from "./world.js";

const NO_FARM =
  "no farm can be had: set MCP_FARM_URL and MCP_FARM_TOKEN to a running one's, put 'farm' of mcp-farm on the PATH, " +
  "or name the command that starts one, such as MCP_FARM_COMMAND='uvx --from mcp-farm farm'";

/** Where to find a farm; absent options are read from the environment. */
export interface FarmOptions {
  /** The operators' URL of a running farm, such as `http://127.0.0.1:8701` (`MCP_FARM_URL`). */
  url?: string | undefined;
  /** Its operator token (`MCP_FARM_TOKEN`; or, in a file, `MCP_FARM_TOKEN_FILE`). */
  token?: string | undefined;
  /** The command that starts a farm, such as `uvx --from mcp-farm farm` (`MCP_FARM_COMMAND`). */
  command?: string | readonly string[] | undefined;
  /** The apps that a started farm runs; by default, all (`MCP_FARM_APPS`, with commas). */
  apps?: readonly string[] | undefined;
}

/** The options of a new world. */
export interface WorldOptions {
  /** The apps; by default, all apps of the world. */
  apps?: readonly string[];
  /** Determines the ids of new objects. */
  seed?: number;
  /**
   * The person whose accounts the servers act for, or their key; by default, the world's protagonist. Several people
   * have a token each; the agent works for the first.
   */
  me?: string | Person | readonly (string | Person)[];
  /** When the simulated clock starts; by default, at the world's own start. */
  now?: Date | string;
  /** The tools that an agent sees: a menu's name, or app to a menu's name or a list of tools. */
  menu?: string | Readonly<Record<string, string | readonly string[]>>;
  /** The version of the apps' tools. */
  profile?: string;
  /** The largest number of tool calls. */
  callsMax?: number;
  /** App to rows that this test needs beside the world's, each with its `table`. They belong to the start. */
  rows?: Readonly<Record<string, readonly Row[]>>;
  /** Files that this test needs: paths on this disk, or app to path to content. */
  files?: GivenFiles;
  /** Calls that fail as planned, each with its `app` and `kind`, in the words of the control API. */
  faults?: readonly Row[];
  /** Rules of people who answer, in the words of the control API; {@link World.when} adds one, too. */
  people?: readonly Row[];
  /** Whether the world's own people answer, by its rules; by default, if the clock is live. */
  worldPeople?: boolean;
  /** Whether the rows that are scheduled for the world's week arrive as a test moves the frozen clock. */
  arrivals?: boolean;
  /** How much simulated time a call takes, such as `30s`. */
  pace?: string;
  /** How the person whom the agent works for answers `ask_user` of the app `clock`, in the words of the control API. */
  user?: Row;
}

/** A task of a suite as a test. */
export interface FarmTask {
  /** As in `demo/lark-new-room`. */
  readonly name: string;
  readonly title: string;
  /** The user's instruction. */
  readonly instruction: string;
  /** The agent's system prompt: the simulated date, the user, and the agent's permissions. */
  readonly system: string;
  /** The world of the task. */
  readonly world: World;
  /** Assert that every checkpoint holds and nothing else changed; `answer` is the agent's last message. */
  assertDone(answer?: string): Promise<void>;
}

/** Worlds that are prepared once and forked for each test, each with the function and options that made it. */
export type Prepared = Map<string, { how: string; world: Promise<World> }>;

/** Creates worlds, and drops them when it is closed. */
export class Farm {
  /** The worlds that this farm created and has not dropped yet. */
  readonly worlds: World[] = [];
  readonly #api: ControlApi;
  readonly #prepared: Prepared;
  readonly #end: () => Promise<void>;
  readonly #command: string | readonly string[] | undefined;
  readonly #cassettes: Cassette[] = [];
  readonly #models: ScriptedModel[] = [];

  /**
   * @param prepared - the prepared worlds, possibly shared with other farms
   * @param end - is called after the worlds are dropped
   * @param command - the command that starts what a farm's URL does not serve: cassettes and models
   * @internal
   */
  constructor(api: ControlApi, prepared: Prepared, end: () => Promise<void>, command?: string | readonly string[]) {
    this.#api = api;
    this.#prepared = prepared;
    this.#end = end;
    this.#command = command;
  }

  /** A description of the farm, for people. */
  get where(): string {
    return this.#api.where;
  }

  /**
   * Return a fresh world for this test alone; it is dropped with the test.
   *
   * @param name - the world; `farm worlds` lists them
   * @throws {@link McpFarmError} the world, app or person does not exist.
   */
  async world(name = "mini", options: WorldOptions = {}): Promise<World> {
    return this.#world((world) => this.worlds.push(world), name, options);
  }

  async #world(keep: Keep, name: string, options: WorldOptions): Promise<World> {
    if (typeof name !== "string" || name === "") {
      throw new McpFarmError(`a world has a name, such as 'mini'; ${JSON.stringify(name)} is none`);
    }
    requireKnown(options, ["apps", "seed", "me", "now", "menu", "profile", "callsMax", "rows", "files", "faults", "people", "worldPeople", "arrivals", "pace", "user"], "a world");
    const { apps, callsMax, me, files, worldPeople, ...wishes } = options;
    if (typeof apps === "string") {
      throw new McpFarmError(`apps is a list of names, such as ['${apps}'], not the text '${apps}'`);
    }
    const given = Object.entries({ ...wishes, me: keysOf(me), apps, calls_max: callsMax, world_people: worldPeople }).filter(([, value]) => value !== undefined);
    const wish = toJsonValue({ world: name, ...Object.fromEntries(given) }, "options") as Record<string, unknown>;
    if (files !== undefined) wish["files"] = toRequest(files);
    const episode = await this.#api.create(wish);
    return World.create(name, await this.#api.people(wish, episode), episode, keep);
  }

  /**
   * Return a copy of a world that is prepared once a test file and never changes afterwards.
   *
   * Use it for tests with many parameters: `prepare` runs once, and each test gets a fork.
   *
   * @param key - identifies the prepared world in this file; another `prepare` needs another key
   * @param prepare - changes a fresh world into the state in which the tests begin
   */
  async prepared(
    key: string,
    prepare: (world: World) => unknown,
    name = "mini",
    options: WorldOptions = {},
  ): Promise<World> {
    if (typeof prepare !== "function") throw new McpFarmError(`what prepares '${key}' is a function of a world`);
    // Each test creates its functions anew, so they are compared by their text.
    const how = JSON.stringify([prepare.toString(), name, options]);
    let original = this.#prepared.get(key);
    if (original === undefined) {
      const made = async (): Promise<World> => {
        // Not owned by a test: it stays until the file ends.
        const world = await this.#world(() => undefined, name, options);
        await prepare(world);
        return world;
      };
      original = { how, world: made() };
      this.#prepared.set(key, original);
    }
    if (original.how !== how) {
      throw new McpFarmError(
        `the prepared world '${key}' was made by another function or with other options; give this one a key of its own`,
      );
    }
    const copy = await (await original.world).forkFor((world) => this.worlds.push(world));
    await copy.startHere();
    return copy;
  }

  /**
   * Run a function several times, each time with worlds of its own. A failed assertion or a refused call ends its
   * trial; any other error ends all.
   *
   * @param run - one trial; its number is from 1 on
   * @throws AssertionError fewer than `minPass` of them passed; the message holds each failure.
   */
  async trials(count: number, options: TrialOptions, run: (number: number) => unknown): Promise<void> {
    await runTrials(count, options, async (number) => {
      const begun = this.worlds.length;
      try {
        await run(number);
      } finally {
        for (const world of this.worlds.splice(begun)) await world.close();
      }
    });
  }

  /**
   * Return an MCP server, or a model, that answers from a recorded session; it is closed with this farm.
   *
   * A request without a recorded answer fails the test, with what differs.
   *
   * @param path - the cassette, a JSON file; it is recorded if it does not exist
   * @throws {@link McpFarmError} the cassette cannot be read or recorded.
   */
  async cassette(path: string, options: CassetteOptions = {}): Promise<Cassette> {
    const cassette = await Cassette.open(farmCommand(this.#command), path, options);
    this.#cassettes.push(cassette);
    return cassette;
  }

  /**
   * Return a mock model that answers from a script, for this test alone.
   *
   * @param script - the turns: a text, calls made at once, or a table with `when`, `tool`, `arguments` …
   * @throws {@link McpFarmError} the script is invalid.
   */
  async model(script: readonly Turn[]): Promise<ScriptedModel> {
    const model = await ScriptedModel.open(farmCommand(this.#command), script);
    this.#models.push(model);
    return model;
  }

  /** Return a task of a suite, such as `"demo/lark-new-room"`, with a world in which it can be done. */
  async task(name: string): Promise<FarmTask> {
    const { title, instruction, system, ...wish } = await this.#api.task(name);
    const world = await this.world(wish.world, {
      apps: wish.apps,
      callsMax: wish.calls_max,
      ...(wish.me === null ? {} : { me: wish.me }),
      ...(wish.now === null ? {} : { now: wish.now }),
      ...livingOf(wish.episode),
    });
    return { name, title, instruction, system, world, assertDone: (answer) => world.assertTask(name, answer) };
  }

  /**
   * Drop the worlds, close the cassettes, and stop the farm if this object started it.
   *
   * @throws {@link McpFarmError} an assertion was not awaited, or a request to a cassette had no recorded answer.
   */
  async close(): Promise<void> {
    const opened = [...this.worlds.splice(0), ...this.#cassettes.splice(0), ...this.#models.splice(0)];
    const ends = await Promise.allSettled(opened.map((each) => each.close()));
    await this.#end();
    const failed = ends.find((each) => each.status === "rejected");
    if (failed) throw failed.reason;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Drop prepared worlds. */
export async function dropPrepared(prepared: Prepared): Promise<void> {
  for (const world of await Promise.allSettled([...prepared.values()].map((each) => each.world))) {
    if (world.status === "fulfilled") await world.value.close();
  }
}

/**
 * Find a farm: a running one by its URL, or one that a command starts and that ends with this process.
 *
 * Use it with node:test and in scripts; with vitest, the fixture of `mcp-farm-test/vitest` calls it.
 *
 * @throws {@link McpFarmError} no farm is available, or its version does not match.
 */
export async function findFarm(options: FarmOptions = {}): Promise<Farm> {
  requireKnown(options, ["url", "token", "command", "apps"], "findFarm");
  const prepared: Prepared = new Map();
  const running = runningFarm(options);
  if (running !== undefined) {
    const api = await ControlApi.connect(running.url, running.token());
    return new Farm(api, prepared, () => dropPrepared(prepared), options.command);
  }
  const started = await startFarm(options);
  return new Farm(await connectStarted(started), prepared, () => started.close(), options.command);
}

/** Return the running farm named by a URL, if there is one. */
export function runningFarm(options: FarmOptions): { url: string; token: () => string } | undefined {
  const url = options.url ?? process.env["MCP_FARM_URL"];
  return url ? { url, token: () => tokenFor(url, options) } : undefined;
}

/** Start a farm by the given command, or by `farm` on the PATH. */
export async function startFarm(options: FarmOptions): Promise<StartedFarm> {
  const apps = options.apps ?? process.env["MCP_FARM_APPS"]?.split(",").filter((each) => each !== "");
  return StartedFarm.start(farmCommand(options.command), apps);
}

/** Return the words of the command that starts a farm: the given one, the environment's, or `farm` on the PATH. */
function farmCommand(given: string | readonly string[] | undefined): readonly string[] {
  const command = given ?? process.env["MCP_FARM_COMMAND"];
  if (command !== undefined && command.length > 0) return typeof command === "string" ? wordsOf(command) : command;
  if (!isOnPath("farm")) throw new McpFarmError(NO_FARM);
  return ["farm"];
}

/** Connect to a farm that was just started; a farm of another version is stopped. */
export async function connectStarted(started: StartedFarm): Promise<ControlApi> {
  try {
    return await ControlApi.connect(started.url, started.token, started.where);
  } catch (problem) {
    await started.close();
    throw problem;
  }
}

function tokenFor(url: string, options: FarmOptions): string {
  const token = options.token ?? process.env["MCP_FARM_TOKEN"];
  if (token) return token;
  const named = process.env["MCP_FARM_TOKEN_FILE"];
  const path = (named ?? "~/.local/share/mcp-farm/operator.token").replace(/^~(?=\/)/, homedir());
  try {
    return readFileSync(path, "ascii").trim();
  } catch {
    const given = named === undefined ? "no token was given" : `${path} cannot be read`;
    throw new McpFarmError(
      `${given} for the farm at ${url}; ` +
        "set MCP_FARM_TOKEN, or MCP_FARM_TOKEN_FILE to the file that 'farm status' calls token",
    );
  }
}

function isOnPath(program: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return statSync(join(folder, program)).isFile();
    } catch {
      return false;
    }
  });
}

/** Return people as the control API names them: by their keys. */
function keysOf(me: WorldOptions["me"]): string | string[] | undefined {
  const keyOf = (each: string | Person): string => (each instanceof Person ? each.key : each);
  return me === undefined || typeof me === "string" || me instanceof Person ? me && keyOf(me) : me.map(keyOf);
}

/** Return the options of a world that a task's episode asks for, besides its people and apps. */
function livingOf(episode: AskedTask["episode"]): WorldOptions {
  const { faults, people, world_people: worldPeople, arrivals, pace, user } = episode;
  const given = Object.entries({ faults, people, worldPeople, arrivals, pace, user });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
