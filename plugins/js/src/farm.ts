/** Finds a farm, makes worlds on it, and drops them. */

import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

import { FarmProblem } from "./errors.js";
import { StartedFarm } from "./started.js";
import { Person, plain, requireKnown } from "./values.js";
import { ControlApi } from "./wire.js";
import { World, type Keep } from "./world.js";

const NO_FARM =
  "no farm can be had: set MCP_FARM_URL and MCP_FARM_TOKEN to a running one's, put 'farm' of mcp-farm on the PATH, " +
  "or name the command that starts one, such as MCP_FARM_COMMAND='uvx --from mcp-farm farm'";

/** Where a farm is looked for; what is absent is taken from the environment. */
export interface FarmOptions {
  /** A running farm's operators' URL, such as `http://127.0.0.1:8701` (`MCP_FARM_URL`). */
  url?: string | undefined;
  /** Its operator token (`MCP_FARM_TOKEN`; or, in a file, `MCP_FARM_TOKEN_FILE`). */
  token?: string | undefined;
  /** What starts a farm, such as `uvx --from mcp-farm farm` (`MCP_FARM_COMMAND`). */
  command?: string | readonly string[] | undefined;
}

/** What a world is made with. */
export interface WorldOptions {
  /** The apps; all that the world has when absent. */
  apps?: readonly string[];
  /** Drives the ids of what is made in it. */
  seed?: number;
  /** Who the servers act for, a person or their key; the world's protagonist when absent. */
  me?: string | Person;
  /** When the simulated clock starts; at the world's own start when absent. */
  now?: Date | string;
  /** Which tools an agent is shown: a menu's name, or app to a menu's name or a list of tools. */
  menu?: string | Readonly<Record<string, string | readonly string[]>>;
  /** Which version of the apps' tools. */
  profile?: string;
  /** How many tool calls it takes. */
  callsMax?: number;
}

/** A task of a suite as a test. */
export interface FarmTask {
  /** As in `demo/lark-new-room`. */
  readonly name: string;
  readonly title: string;
  /** What the user asks. */
  readonly instruction: string;
  /** What an agent is told before it: the simulated date, who the user is, what it may do. */
  readonly system: string;
  /** Where to do it. */
  readonly world: World;
  /** Assert that every checkpoint holds, `answer` being what the agent said last, and nothing else changed. */
  assertDone(answer?: string): Promise<void>;
}

/** Worlds that are made once and copied for each test, and how each was made. */
export type Prepared = Map<string, { how: string; world: Promise<World> }>;

/** Makes worlds, and drops them when it is closed. */
export class Farm {
  /** The worlds that were made and not yet dropped with this. */
  readonly worlds: World[] = [];
  readonly #api: ControlApi;
  readonly #prepared: Prepared;
  readonly #end: () => Promise<void>;

  /**
   * @param prepared - what was prepared so far, by this or others that share it
   * @param end - what is done after the worlds are dropped
   * @internal
   */
  constructor(api: ControlApi, prepared: Prepared, end: () => Promise<void>) {
    this.#api = api;
    this.#prepared = prepared;
    this.#end = end;
  }

  /** Where worlds are made, for people. */
  get where(): string {
    return this.#api.where;
  }

  /**
   * Return a fresh world that is this test's alone; it goes with the test.
   *
   * @param name - the world; `farm worlds` lists them
   * @throws {@link FarmProblem} there is no such world, app or person.
   */
  async world(name = "mini", options: WorldOptions = {}): Promise<World> {
    return this.#world((world) => this.worlds.push(world), name, options);
  }

  async #world(keep: Keep, name: string, options: WorldOptions): Promise<World> {
    if (typeof name !== "string" || name === "") {
      throw new FarmProblem(`a world has a name, such as 'mini'; ${JSON.stringify(name)} is none`);
    }
    requireKnown(options, ["apps", "seed", "me", "now", "menu", "profile", "callsMax"], "a world");
    const { apps, callsMax, me, ...wishes } = options;
    if (typeof apps === "string") {
      throw new FarmProblem(`apps is a list of names, such as ['${apps}'], not the text '${apps}'`);
    }
    const given = Object.entries({ ...wishes, me: me instanceof Person ? me.key : me, apps, calls_max: callsMax }).filter(([, value]) => value !== undefined);
    const wish = plain({ world: name, ...Object.fromEntries(given) }, "options") as Record<string, unknown>;
    const episode = await this.#api.create(wish);
    return World.of(name, await this.#api.people(wish, episode), episode, keep);
  }

  /**
   * Return a copy of a world that is prepared once a test file and never changes again.
   *
   * For tests with many parameters: what `prepare` does is paid for once, each test gets a fork.
   *
   * @param key - what the prepared world is known by in this file; another `prepare` needs another
   * @param prepare - brings a fresh world to where the tests begin
   */
  async prepared(
    key: string,
    prepare: (world: World) => unknown,
    name = "mini",
    options: WorldOptions = {},
  ): Promise<World> {
    if (typeof prepare !== "function") throw new FarmProblem(`what prepares '${key}' is a function of a world`);
    // Functions are made anew in each test, so that their text tells them apart.
    const how = JSON.stringify([prepare.toString(), name, options]);
    let original = this.#prepared.get(key);
    if (original === undefined) {
      const made = async (): Promise<World> => {
        // Nobody's: it stays until the file ends.
        const world = await this.#world(() => undefined, name, options);
        await prepare(world);
        return world;
      };
      original = { how, world: made() };
      this.#prepared.set(key, original);
    }
    if (original.how !== how) {
      throw new FarmProblem(
        `the prepared world '${key}' was made by another function or with other options; give this one a key of its own`,
      );
    }
    const copy = await (await original.world).forkFor((world) => this.worlds.push(world));
    await copy.startHere();
    return copy;
  }

  /** Return a task of a suite, such as `"demo/lark-new-room"`, with a world in which it can be done. */
  async task(name: string): Promise<FarmTask> {
    const { title, instruction, system, ...wish } = await this.#api.task(name);
    const world = await this.world(wish.world, {
      apps: wish.apps,
      callsMax: wish.calls_max,
      ...(wish.me === null ? {} : { me: wish.me }),
      ...(wish.now === null ? {} : { now: wish.now }),
    });
    return { name, title, instruction, system, world, assertDone: (answer) => world.assertTask(name, answer) };
  }

  /** Drop the worlds, and end the farm where this has started it. */
  async close(): Promise<void> {
    const ends = await Promise.allSettled(this.worlds.splice(0).map((world) => world.close()));
    await this.#end();
    const failed = ends.find((each) => each.status === "rejected");
    if (failed) throw failed.reason;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Drop worlds that were prepared. */
export async function dropPrepared(prepared: Prepared): Promise<void> {
  for (const world of await Promise.allSettled([...prepared.values()].map((each) => each.world))) {
    if (world.status === "fulfilled") await world.value.close();
  }
}

/**
 * Find a farm: one that runs, by its URL, or else one that is started by a command and ends with this process.
 *
 * For node:test and scripts; with vitest, the fixture of `mcp-farm-test/vitest` does it.
 *
 * @throws {@link FarmProblem} none can be had, or it is of another version.
 */
export async function findFarm(options: FarmOptions = {}): Promise<Farm> {
  requireKnown(options, ["url", "token", "command"], "findFarm");
  const prepared: Prepared = new Map();
  const running = runningFarm(options);
  if (running !== undefined) {
    const api = await ControlApi.connect(running.url, running.token());
    return new Farm(api, prepared, () => dropPrepared(prepared));
  }
  const started = await startFarm(options);
  return new Farm(await connectStarted(started), prepared, () => started.close());
}

/** Return the farm that was named by its URL, if any was. */
export function runningFarm(options: FarmOptions): { url: string; token: () => string } | undefined {
  const url = options.url ?? process.env["MCP_FARM_URL"];
  return url ? { url, token: () => tokenFor(url, options) } : undefined;
}

/** Start a farm by the command that was named, or by `farm` on the PATH. */
export async function startFarm(options: FarmOptions): Promise<StartedFarm> {
  const command = options.command ?? process.env["MCP_FARM_COMMAND"];
  if (command !== undefined && command.length > 0) return StartedFarm.start(command);
  if (!isOnPath("farm")) throw new FarmProblem(NO_FARM);
  return StartedFarm.start(["farm"]);
}

/** Reach a farm that was just started; one of another version is ended. */
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
    throw new FarmProblem(
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
