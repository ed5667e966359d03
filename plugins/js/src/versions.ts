/** The farm versions that this package supports. */

import { McpFarmError } from "./errors.js";

/** The version of this package. */
export const VERSION = "0.2.0";

/**
 * Reject a farm of another version; a farm's answers change with the first two numbers.
 *
 * @param farm - its version
 * @param where - its description in the message
 */
export function requireFitting(farm: string, where: string): void {
  if (firstTwo(farm) !== firstTwo(VERSION)) {
    throw new McpFarmError(
      `${where} is of version ${farm}, and this is mcp-farm-test ${VERSION}; ` +
        "install both from one checkout of mcp-farm, mcp-farm-test from its folder plugins/js",
    );
  }
}

function firstTwo(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}
