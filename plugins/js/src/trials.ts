/** Repeated trials of one test, with the share that has to pass: an agent on a real model does not always succeed. */

import { AssertionError } from "node:assert";

import { assertionFailed, McpFarmError, ToolRefusedError } from "./errors.js";
import { requireKnown } from "./values.js";

/** The options of trials. */
export interface TrialOptions {
  /** The share of trials that has to pass, from 0 to 1; by default, all. */
  minPass?: number;
}

/**
 * Run a function several times. A failed assertion or a refused call ends its trial, any other error ends all.
 *
 * @param run - one trial; its number is from 1 on
 * @throws AssertionError too few passed; the message holds each failure.
 */
export async function runTrials(
  count: number,
  options: TrialOptions,
  run: (number: number) => unknown,
): Promise<void> {
  requireKnown(options, ["minPass"], "trials");
  const { minPass = 1 } = options;
  if (!Number.isInteger(count) || count < 1 || !(minPass >= 0 && minPass <= 1) || typeof run !== "function") {
    throw new McpFarmError(
      "trials are at least one, minPass is a share from 0 to 1, and a trial is a function, as in " +
        "trials(5, { minPass: 0.8 }, async (number) => { … })",
    );
  }
  const failures: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    try {
      await run(number);
    } catch (problem) {
      if (!isFailure(problem)) throw problem;
      failures.push(`trial ${number}: ${problem.message || problem.name}`);
    }
  }
  const passed = count - failures.length;
  if (passed < minPass * count) {
    const wanted = `${Math.round(minPass * 100)}%`;
    throw assertionFailed(`${passed} of ${count} trials passed, wanted ${wanted}\n\n${failures.join("\n\n")}`);
  }
}

/** Return whether an error is a failed assertion, of whichever library, or an app's refusal. */
function isFailure(problem: unknown): problem is Error {
  if (problem instanceof AssertionError || problem instanceof ToolRefusedError) return true;
  return problem instanceof Error && problem.name.startsWith("AssertionError");
}
