/**
 * The output of a failed assertion: the calls and the rows they changed, as tables.
 *
 * The output equals that of pytest-mcp-farm, to the character; a test compares them.
 */

import type { ChangedRow, Diff, TracedCall } from "./wire.js";
import type { Row } from "./values.js";

const CALLS_MAX = 40;
const ROWS_MAX = 40;
const CELL_MAX = 72;
const OPS = { insert: "created", update: "updated", delete: "deleted" } as const;

// Characters that are wide by East Asian Width, in the blocks of common scripts.
const WIDE =
  /[\u1100-\u115f\u231a-\u231b\u23e9-\u23ec\u2614-\u2615\u2705\u2728\u274c\u2753-\u2755\u2757\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f320}\u{1f32d}-\u{1f335}\u{1f337}-\u{1f37c}\u{1f37e}-\u{1f393}\u{1f3a0}-\u{1f3ca}\u{1f3e0}-\u{1f3f0}\u{1f3f8}-\u{1f43e}\u{1f440}\u{1f442}-\u{1f4fc}\u{1f4ff}-\u{1f53d}\u{1f5fb}-\u{1f64f}\u{1f680}-\u{1f6c5}\u{1f6d5}-\u{1f6d7}\u{1f90c}-\u{1f93a}\u{1f93c}-\u{1f945}\u{1f947}-\u{1f9ff}\u{1fa70}-\u{1faf8}\u{20000}-\u{3fffd}]/u;

/** Return the reason of a failure with the calls and the changes. */
export function failure(why: string, calls: readonly TracedCall[], diff: Diff, names: Names = {}): string {
  return [named(why, names), trace(calls, names), changes(diff, names)].join("\n\n");
}

/** Id to the name of what it is, which is written behind the id. */
export type Names = Readonly<Record<string, string>>;

/** Return a text with the names of its ids. */
function named(text: string, names: Names): string {
  const known = Object.keys(names).filter((each) => text.includes(each));
  if (known.length === 0) return text;
  const escaped = known.sort((one, other) => other.length - one.length).map((each) => each.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return text.replace(new RegExp(escaped.join("|"), "g"), (found) => `${found} (${names[found]})`);
}

/** Return the calls as a table; of many calls, only the latest. */
export function trace(calls: readonly TracedCall[], names: Names = {}): string {
  if (calls.length === 0) return "no tool was called";
  const shown = calls.slice(-CALLS_MAX);
  const left = shown.length < calls.length ? `, of which the last ${shown.length}` : "";
  const rows = shown.map((each) => [`#${each.n}`, each.app, each.tool, named(short(each.arguments), names), outcome(each)]);
  return `${count(calls.length, "tool call")}${left}:\n${table(rows)}`;
}

/** Return a call's outcome in a few words. */
function outcome(call: TracedCall): string {
  if (call.refused) return `refused: ${short(textOf(call.result))}`;
  return call.wrote ? "wrote" : "read";
}

/** Return the changed rows as a table: the values of a created or deleted row, and the changes of an updated one. */
function changes(diff: Diff, names: Names): string {
  const every = Object.entries(diff).flatMap(([app, tables]) =>
    Object.entries(tables).flatMap(([name, rows]) => rows.map((row) => ({ name: `${app}.${name}`, row }))),
  );
  if (every.length === 0) return "no row changed";
  const left = every.length > ROWS_MAX ? `, of which the first ${ROWS_MAX}` : "";
  const rows = every.slice(0, ROWS_MAX).map(({ name, row }) => [
    name,
    OPS[row.op],
    named(key(row.key), names),
    named(what(row), names),
  ]);
  return `${count(every.length, "row")} changed${left}:\n${table(rows)}`;
}

function what(row: ChangedRow): string {
  const before = row.old ?? {};
  const now = row.new ?? {};
  if (row.op === "update") {
    return Object.keys(now)
      .filter((name) => json(now[name]) !== json(before[name]))
      .map((name) => `${name}: ${short(before[name])} → ${short(now[name])}`)
      .join(", ");
  }
  const held = Object.entries(row.new ?? before).filter(
    ([name, value]) => !([null, "", 0, false] as unknown[]).includes(value) && !(name in row.key),
  );
  return short(held.map(([name, value]) => `${name}=${short(value, 40)}`).join(", "), 160);
}

function key(values: Row): string {
  return short(Object.values(values).map(String).join("/"), 44);
}

/** Return the text of a result. */
export function textOf(result: Readonly<Record<string, unknown>>): string {
  const { error, content } = result as {
    error?: { message?: unknown };
    content?: readonly { type?: string; text?: unknown }[];
  };
  if (error !== undefined) return typeof error.message === "string" ? error.message : json(error);
  return (content ?? [])
    .filter((item) => item.type === "text")
    .map((item) => String(item.text))
    .join("\n");
}

/** Return a value on one line, truncated to `most` characters. */
export function short(value: unknown, most: number = CELL_MAX): string {
  const text = typeof value === "string" ? value : json(value);
  const flat = [...text.trim().replace(/\s+/g, " ")];
  return flat.length <= most ? flat.join("") : `${flat.slice(0, most - 1).join("")}…`;
}

/** Return JSON with a space after each comma and colon. */
function json(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(json).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${json(each)}`);
    return `{${members.join(", ")}}`;
  }
  return JSON.stringify(value ?? null);
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
}

/** Return rows in aligned columns; the last column is not padded. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ""))));
  const padded = (text: string, column: number, row: readonly string[]): string =>
    column === row.length - 1 ? text : text + " ".repeat((widths[column] ?? 0) - width(text));
  return rows.map((row) => `  ${row.map(padded).join("  ")}`).join("\n");
}

function width(text: string): number {
  return [...text].reduce((sum, each) => sum + (WIDE.test(each) ? 2 : 1), 0);
}
