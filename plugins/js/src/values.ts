/** Convert values for the control API; people stand for their accounts. */

import { types } from "node:util";

import { McpFarmError } from "./errors.js";

/** A row of a table: column to value. */
export type Row = Record<string, unknown>;

/**
 * A person of the world. As a value in an assertion, a person stands for the id of their account.
 */
export class Person {
  /**
   * @param key - their key in the world, such as `ben`
   * @param accounts - app to the id of their account there
   */
  constructor(
    readonly key: string,
    readonly name: string,
    readonly email: string | null,
    readonly accounts: Readonly<Record<string, string>>,
  ) {}
}

/**
 * Return a value as JSON: moments as RFC 3339, a person as a reference.
 *
 * Values that JSON would omit are rejected: an assertion with `{ channel_id: undefined }` would check nothing.
 *
 * @param where - the value's name in the message
 */
export function toJsonValue(value: unknown, where: string): unknown {
  if (value instanceof Person) return { person: value.key };
  if (types.isDate(value)) {
    if (Number.isNaN(value.getTime())) throw new McpFarmError(`${where} is no moment: an invalid Date`);
    return value.toISOString();
  }
  if (Array.isArray(value)) return value.map((each, index) => toJsonValue(each, `${where}[${index}]`));
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value === "object" && isPlain(value)) {
    const members = Object.entries(value).map(([name, each]) => [name, toJsonValue(each, `${where}.${name}`)]);
    return Object.fromEntries(members);
  }
  const shown = typeof value === "object" ? `a ${value.constructor.name}` : String(value);
  throw new McpFarmError(`${where} is ${shown}; give text, a number, true, false, null, a Date, a Person, or lists and objects of them`);
}

/** Return whether an object has no class; plain objects of another realm, as some test runners create, also count. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Reject unknown options, which would otherwise be ignored silently. */
export function requireKnown(given: object, known: readonly string[], what: string): void {
  const odd = Object.keys(given).find((name) => !known.includes(name));
  if (odd !== undefined) throw new McpFarmError(`no option '${odd}' of ${what}; have ${known.join(", ")}`);
}
