/** Which farms this package works with. */

import { FarmProblem } from "./errors.js";

/** The version of this package. */
export const VERSION = "0.1.0";

/**
 * Refuse a farm of another version; what a farm answers changes with the first two numbers.
 *
 * @param farm - its version
 * @param where - what it is, for the message
 */
export function requireFitting(farm: string, where: string): void {
  const wanted = firstTwo(VERSION);
  if (firstTwo(farm) !== wanted) {
    throw new FarmProblem(
      `${where} is of version ${farm}, and this is mcp-farm-test ${VERSION}; ` +
        `install mcp-farm-test@${firstTwo(farm)}, or a farm of version ${wanted}`,
    );
  }
}

function firstTwo(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}
