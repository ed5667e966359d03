/** The package's errors: the farm cannot do what was requested, an app refused, or an assertion fails. */

import { AssertionError } from "node:assert";
import { fileURLToPath } from "node:url";

const HERE = new URL(".", import.meta.url);
const INSIDE = [HERE.href, fileURLToPath(HERE), "(node:internal/"];

/** Remove lines of this package and of Node itself from an error's stack, so that it begins in the test. */
function pointAtTest<Problem extends Error>(problem: Problem): Problem {
  const lines = problem.stack?.split("\n") ?? [];
  problem.stack = lines.filter((line) => !/^\s+at /.test(line) || !INSIDE.some((place) => line.includes(place))).join("\n");
  return problem;
}

/** The farm cannot do what was requested; the message is one line that names the cause and a remedy. */
export class McpFarmError extends Error {
  override readonly name = "McpFarmError";

  constructor(message: string) {
    super(message);
    pointAtTest(this);
  }
}

/** An app refused a call; the message is the vendor's. */
export class ToolRefusedError extends Error {
  override readonly name = "ToolRefusedError";

  /**
   * @param app - the app that refused
   * @param tool - the tool that was called
   * @param text - the vendor's message
   * @param result - the CallToolResult, or `{ error: { code, message } }` for a JSON-RPC error
   */
  constructor(
    readonly app: string,
    readonly tool: string,
    readonly text: string,
    readonly result: Readonly<Record<string, unknown>>,
  ) {
    super(`${app} refused ${tool}: ${text}`);
    pointAtTest(this);
  }
}

/** Return the error of a failed assertion, an `AssertionError` of `node:assert`. */
export function assertionFailed(message: string): AssertionError {
  return pointAtTest(new AssertionError({ message, stackStartFn: assertionFailed }));
}
