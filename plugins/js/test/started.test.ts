/** A command line is split as a shell does it. */

import { expect, test } from "vitest";

import { wordsOf } from "../src/started.js";

test.each([
  ["uvx --from mcp-farm farm", ["uvx", "--from", "mcp-farm", "farm"]],
  ["  farm  ", ["farm"]],
  [`'/opt/my farm/farm' --a="b 'c'" d\\ e`, ["/opt/my farm/farm", "--a=b 'c'", "d e"]],
  [`sh -c 'exec "$0"' "a\\"b" ''`, ["sh", "-c", 'exec "$0"', 'a"b', ""]],
  ["", []],
])("%s", (line, words) => {
  expect(wordsOf(line)).toEqual(words);
});
