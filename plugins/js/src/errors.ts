/** What can go wrong in a test: the farm cannot do what was asked, an app refused, or an assertion does not hold. */

import { AssertionError } from "node:assert";
import { fileURLToPath } from "node:url";

const HERE = new URL(".", import.meta.url);
const INSIDE = [HERE.href, fileURLToPath(HERE), "(node:internal/"];

/** Leave lines of this package and of Node itself out of an error's stack, so that it begins where the test is. */
function pointAtTest<Problem extends Error>(problem: Problem): Problem {
  const lines = problem.stack?.split("\n") ?? [];
  problem.stack = lines.filter((line) => !/^\s+at /.test(line) || !INSIDE.some((place) => line.includes(place))).join("\n");
  return problem;
}

/** What was asked of the farm cannot be done; the message is one line that names the thing and the way out. */
export class FarmProblem extends Error {
  override readonly name = "FarmProblem";

  constructor(message: string) {
    super(message);
    pointAtTest(this);
  }
}

/** An app refused a call; the message says it in the vendor's words. */
export class ToolRefused extends Error {
  override readonly name = "ToolRefused";

  /**
   * @param app - the app that refused
   * @param tool - the tool that was called
   * @param text - what the vendor says
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

/** Return what a failing assertion throws, an `AssertionError` of `node:assert`. */
export function assertionFailed(message: string): AssertionError {
  return pointAtTest(new AssertionError({ message, stackStartFn: assertionFailed }));
}
