import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

// The farm of this checkout, in the environment that make sets up.
process.env["MCP_FARM_COMMAND"] ??= fileURLToPath(new URL("../../.venv/bin/farm", import.meta.url));

const source = (file: string): string => fileURLToPath(new URL(`src/${file}.ts`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^mcp-farm-test$/, replacement: source("index") },
      { find: /^mcp-farm-test\/vitest$/, replacement: source("vitest") },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: [source("setup")],
    // Some start a farm, or a project of their own.
    testTimeout: 600_000,
    // One packs and installs the package first, another ends its farm last.
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
    // Two cores are what CI has.
    maxWorkers: 2,
    unstubEnvs: true,
  },
});
