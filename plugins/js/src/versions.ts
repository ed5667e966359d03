/** The farm versions that this package supports. */

import { McpFarmError } from "./errors.js";

/** The version of this package. */
export const VERSION = "0.1.0";

/**
 * Reject a farm of another version; a farm's answers change with the first two numbers.
 *
 * @param farm - its version
 * @param where - its description in the message
 */
export function requireFitting(farm: string, where: string): void {
  const wanted = firstTwo(VERSION);
  if (firstTwo(farm) !== wanted) {
    throw new McpFarmError(
      `${where} is of version ${farm}, and this is mcp-farm-test ${VERSION}; ` +
        `install mcp-farm-test@${firstTwo(farm)}, or a farm of version ${wanted}`,
    );
  }
}

function firstTwo(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}
