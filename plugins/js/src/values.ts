/** Values as the control API takes them, and people, who stand for their accounts. */

import { types } from "node:util";

import { FarmProblem } from "./errors.js";

/** A row of a table: column to value. */
export type Row = Record<string, unknown>;

/**
 * Somebody of the world. Among the values of an assertion a person stands for the id of their account.
 */
export class Person {
  /**
   * @param key - what the world calls them, such as `ben`
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
 * Return a value as JSON has it: moments as RFC 3339, a person as a reference to them.
 *
 * What JSON would leave out is refused: an assertion with `{ channel_id: undefined }` would ask for nothing.
 *
 * @param where - what the value is, for the message
 */
export function plain(value: unknown, where: string): unknown {
  if (value instanceof Person) return { person: value.key };
  if (types.isDate(value)) {
    if (Number.isNaN(value.getTime())) throw new FarmProblem(`${where} is no moment: an invalid Date`);
    return value.toISOString();
  }
  if (Array.isArray(value)) return value.map((each, index) => plain(each, `${where}[${index}]`));
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value === "object" && isPlain(value)) {
    const members = Object.entries(value).map(([name, each]) => [name, plain(each, `${where}.${name}`)]);
    return Object.fromEntries(members);
  }
  const shown = typeof value === "object" ? `a ${value.constructor.name}` : String(value);
  throw new FarmProblem(`${where} is ${shown}; give text, a number, true, false, null, a Date, a Person, or lists and objects of them`);
}

/** Whether an object is of no class; that of another realm, as some test runners have them, is as good. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Refuse options that there are not, which would be passed over without a word. */
export function requireKnown(given: object, known: readonly string[], what: string): void {
  const odd = Object.keys(given).find((name) => !known.includes(name));
  if (odd !== undefined) throw new FarmProblem(`no option '${odd}' of ${what}; have ${known.join(", ")}`);
}
