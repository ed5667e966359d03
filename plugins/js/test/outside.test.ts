/** Projects outside this one that have the package as `npm pack` makes it, and tests as the README shows them. */

import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

const PACKAGE = fileURLToPath(new URL("../", import.meta.url));
const README = readFileSync(join(PACKAGE, "README.md"), "utf8");
const PAGE = readFileSync(join(PACKAGE, "../../docs/testing-agents.md"), "utf8");
const COMMAND = process.env["MCP_FARM_COMMAND"] ?? "";
const CONFIG = README.match(/`vitest\.config\.ts`:\n\n```ts\n(.*?)```/s)?.[1] ?? "";

const folders: string[] = [];
let tarball = "";
let installed = "";

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcp-farm-test-outside-")));
  folders.push(folder);
  return folder;
}

beforeAll(() => {
  const folder = newFolder();
  const told = execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: PACKAGE, encoding: "utf8" });
  // What the build says comes before.
  const packed = JSON.parse(told.slice(told.search(/^[[{]/m))) as object;
  const [{ filename }] = Object.values(packed) as [{ filename: string }];
  tarball = join(folder, filename);
  installed = newFolder();
  writeFileSync(join(installed, "package.json"), '{ "name": "outside", "private": true, "type": "module" }');
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: installed });
  // What somebody would have installed beside it.
  for (const name of ["vitest", "typescript", "@types/node", "@modelcontextprotocol/sdk"]) {
    const place = join(installed, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(PACKAGE, "node_modules", name), place);
  }
});

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

interface Ran {
  status: number | null;
  output: string;
}

/** A project that has installed the package, with these files. */
class Project {
  readonly folder = newFolder();

  constructor(files: Record<string, string>) {
    cpSync(installed, this.folder, { recursive: true, verbatimSymlinks: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.folder, name), text);
  }

  /** Run a program in it, in an environment that knows of a command that starts a farm and of nothing else. */
  run(program: string, args: readonly string[], environment: Record<string, string> = {}): Ran {
    const own = Object.entries(process.env).filter(([name]) => !/^(MCP_FARM|VITEST|NODE_|TEST|DEV|PROD|MODE|FORCE_COLOR)/.test(name));
    const env = { ...Object.fromEntries(own), NO_COLOR: "1", MCP_FARM_COMMAND: COMMAND, ...environment };
    const done = spawnSync(program, args, { cwd: this.folder, encoding: "utf8", env, timeout: 300_000 });
    return { status: done.status, output: done.stdout + done.stderr };
  }

  vitest(environment: Record<string, string> = {}, ...options: string[]): Ran {
    return this.run("node", ["node_modules/vitest/vitest.mjs", "run", ...options], environment);
  }
}

/** The farm that this run has started. */
function running(): Record<string, string> {
  const { url, token } = inject("mcpFarm") ?? { url: "", token: "" };
  return { MCP_FARM_URL: url, MCP_FARM_TOKEN: token };
}

/** Return a command that starts a farm of one app, and how to ask which processes it became. */
function countingFarm(): { command: string; started: () => string[] } {
  const folder = newFolder();
  const list = join(folder, "started");
  const command = join(folder, "farm");
  writeFileSync(command, `#!/bin/sh\necho $$ >> ${list}\nexec ${COMMAND} "$@" --apps slack\n`, { mode: 0o700 });
  return { command, started: () => (existsSync(list) ? readFileSync(list, "utf8").trim().split("\n") : []) };
}

/** Wait until a process that nobody holds has ended by itself, and say whether it has. */
async function isGone(process_id: string): Promise<boolean> {
  const until = Date.now() + 60_000;
  while (isThere(process_id) && Date.now() < until) await wait(50);
  return !isThere(process_id);
}

function isThere(process_id: string): boolean {
  try {
    process.kill(Number(process_id), 0);
    return true;
  } catch {
    return false;
  }
}

const post = (text: string): string => `
  import { test } from "mcp-farm-test/vitest";
  test("posts", async ({ farm }) => {
    const world = await farm.world("mini", { apps: ["slack"] });
    await world.call("slack", "slack_post_message", { channel_id: "#general", text: "${text}" });
    ${"await world.assertChanged('slack.messages', { where: { text: '" + text + "' } });"}
  });`;

describe("what the README and docs/testing-agents.md show", () => {
  const blocks = [...`${README}\n${PAGE}`.matchAll(/^```(ts|js)\n(.*?)^```$/gms)].map(([, language, text = ""]) => ({ language, text }));
  const tests = blocks.filter(({ text }) => text.includes('"mcp-farm-test/vitest"'));
  const files = Object.fromEntries(tests.map(({ text }, index) => [`block-${index}.test.ts`, text]));
  const setup = blocks.find(({ text }) => text.includes("farmSetup("))?.text ?? "";

  test("passes as it stands there, and is of the right types", () => {
    const options = { strict: true, module: "nodenext", target: "es2022", noEmit: true, types: ["node"] };
    const tsconfig = JSON.stringify({ compilerOptions: options, include: ["*.ts"] });
    const project = new Project({ ...files, "vitest.config.ts": CONFIG, "setup.ts": setup, "tsconfig.json": tsconfig });

    const done = project.vitest(running());
    const checked = project.run("node", ["node_modules/typescript/bin/tsc"]);

    expect(done).toEqual({ status: 0, output: expect.stringMatching(/Tests .* \(6\)\n/) });
    expect(checked).toEqual({ status: 0, output: "" });
  });

  test("fails where the agent does something else, with the calls and rows", () => {
    const elsewhere = files["block-0.test.ts"]?.replace('"#opening", text', '"#general", text') ?? "";
    const project = new Project({ "agent.test.ts": elsewhere, "vitest.config.ts": CONFIG });

    const { status, output } = project.vitest(running());

    expect(status).toBe(1);
    const line = (start: string): string => README.split("\n").find((each) => each.startsWith(start)) ?? "nothing";
    expect(output).toContain(line("AssertionError: expected a row of slack.messages created"));
    expect(output).toContain(line("  #1  slack  slack_post_message"));
    expect(output).toContain(line("  slack.messages  created").split(" text=")[1]);
    expect(output).toMatch(/❯ agent\.test\.ts:\d+:\d+/);
  });

  test("runs with node:test, and its farm ends with it", async () => {
    const [script] = blocks.filter(({ text }) => text.includes('"node:test"'));
    const { command, started } = countingFarm();
    const project = new Project({ "agent.test.js": script?.text ?? "" });

    const { status, output } = project.run("node", ["--test"], { MCP_FARM_COMMAND: command });

    expect(output).toMatch(/pass 1\n/);
    expect(status).toBe(0);
    expect(started()).toHaveLength(1);
    expect(await isGone(started()[0] ?? "")).toBe(true);
  });
});

test("the workers and projects of a run share one farm, which ends with it", async () => {
  const { command, started } = countingFarm();
  const config = `
    import { defineConfig } from "vitest/config";
    const project = (name) => ({ test: { name, include: [name + "*.test.ts"], globalSetup: ["mcp-farm-test/setup"] } });
    export default defineConfig({ test: { maxWorkers: 2, projects: [project("one"), project("two")] } });`;
  const names = ["one-a", "one-b", "two-a", "two-b"];
  const files = Object.fromEntries(names.map((name) => [`${name}.test.ts`, post(name)]));
  const project = new Project({ ...files, "vitest.config.ts": config });

  const done = project.vitest({ MCP_FARM_COMMAND: command });

  expect(done).toEqual({ status: 0, output: expect.stringContaining("Tests  4 passed (4)") });
  expect(started()).toHaveLength(1);
  expect(isThere(started()[0] ?? "")).toBe(false);
});

test("a farm outlives no run that is killed", async () => {
  const { command, started } = countingFarm();
  const killing = `
    import { test } from "mcp-farm-test/vitest";
    test("is killed", async ({ farm }) => {
      await farm.world("mini", { apps: ["slack"] });
      process.kill(process.ppid, "SIGKILL");
      process.kill(process.pid, "SIGKILL");
    });`;
  const project = new Project({ "killed.test.ts": killing, "vitest.config.ts": CONFIG });

  const { status } = project.vitest({ MCP_FARM_COMMAND: command }, "--pool=forks");

  expect(status).toBeNull();
  expect(started()).toHaveLength(1);
  expect(await isGone(started()[0] ?? "")).toBe(true);
});

test("a script that forgets to close its farm ends, and the farm with it", async () => {
  const { command, started } = countingFarm();
  const script = `
    import { findFarm } from "mcp-farm-test";
    const farm = await findFarm();
    const world = await farm.world();
    console.log(farm.where, world.apps);`;
  const project = new Project({ "script.js": script });

  const done = project.run("node", ["script.js"], { MCP_FARM_COMMAND: command });

  expect(done).toEqual({ status: 0, output: `the farm started with '${command}' [ 'slack' ]\n` });
  expect(await isGone(started()[0] ?? "")).toBe(true);
});

test("an assertion that nobody awaits fails its test", () => {
  const forgetting = post("hi").replace("await world.assertChanged", "void world.assertChanged");
  const project = new Project({ "forgetting.test.ts": forgetting, "vitest.config.ts": CONFIG });

  const { status, output } = project.vitest(running());

  expect(status).toBe(1);
  expect(output).toContain("McpFarmError: assertChanged was still running when the test ended; write 'await' before it");
});

test("without a global setup the way to a farm is told", () => {
  const project = new Project({ "posting.test.ts": post("hi") });

  const { status, output } = project.vitest();

  expect(status).toBe(1);
  expect(output).toContain("McpFarmError: no farm was set up for this run: add globalSetup: ['mcp-farm-test/setup']");
});

test("a run without a farm is told so once, before any test", () => {
  const project = new Project({ "posting.test.ts": post("hi"), "vitest.config.ts": CONFIG });

  const { status, output } = project.vitest({ MCP_FARM_COMMAND: "/nowhere/farm" });

  expect(status).toBe(1);
  expect(output.match(/McpFarmError: .*/g)).toEqual([
    expect.stringContaining("no farm can be had: '/nowhere/farm' cannot be run (no such file or directory); install mcp-farm"),
  ]);
});

test("the package has what it needs and no more", () => {
  const listed = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).trim().split("\n");
  const modules = "cassette errors farm given_files index model setup show started tool_arguments trials values versions vitest wire world".split(" ");

  const built = modules.flatMap((name) => [`package/dist/${name}.d.ts`, `package/dist/${name}.js`]);
  expect(listed.sort()).toEqual([...built, "package/LICENSE", "package/README.md", "package/package.json"].sort());
});
