/** The arguments that a tool declares, so that an assertion on a misspelt one is an error and not always green. */

import type { Row } from "./values.js";

/** A JSON schema, such as a tool's `inputSchema`. */
export type JsonSchema = Readonly<Record<string, unknown>>;

// A schema may refer to itself.
const REFERENCES_MAX = 20;
const CLOSE_MIN = 0.6;

/** Return each argument that a tool's `inputSchema` does not declare: its dotted path, and a sentence on what it declares. */
export function undeclared(schema: JsonSchema, args: Row, root: JsonSchema = schema, at = ""): { path: string; declared: string }[] {
  const known = properties(root, schema);
  if (known === undefined) return [];
  return Object.entries(args).flatMap(([name, value]) => {
    const schemas = known.get(name);
    if (schemas === undefined) return [{ path: `${at}${name}`, declared: sentence(root, known, name, at) }];
    if (!isObject(value)) return [];
    const problems = schemas.map((each) => undeclared(each as JsonSchema, value, root, `${at}${name}.`));
    return problems.some((each) => each.length === 0) ? [] : (problems.at(-1) ?? []);
  });
}

/** Return whether a call's arguments hold a value at a dotted path. */
export function hasPath(value: unknown, path: string): boolean {
  let found = value;
  for (const name of path.split(".")) {
    if (!isObject(found) || !Object.hasOwn(found, name)) return false;
    found = found[name];
  }
  return true;
}

/** Return the most similar name, if one is similar. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const shares = [...known].map((each) => [likeness(name, each), each] as const);
  const [best] = shares.filter(([share]) => share >= CLOSE_MIN).toSorted(([one], [other]) => other - one);
  return best?.[1];
}

function sentence(root: JsonSchema, known: ReadonlyMap<string, unknown[]>, name: string, at: string): string {
  if (known.size === 0) return "it takes none";
  const holds = (schema: unknown): boolean => properties(root, schema)?.has(name) ?? false;
  const [deeper] = [...known].filter(([, schemas]) => schemas.some(holds)).map(([outer]) => `${outer}.${name}`);
  const close = deeper ?? nearest(name, known.keys());
  const end = close === undefined ? "" : `; did you mean '${at}${close}'?`;
  return `it has ${[...known.keys()].map((each) => `${at}${each}`).join(", ")}${end}`;
}

/** Return name to schemas of an object's properties in all branches; `undefined` if it may hold any name. */
function properties(root: JsonSchema, schema: unknown): Map<string, unknown[]> | undefined {
  const found = new Map<string, unknown[]>();
  const waiting = [schema];
  let holdsNames = schema === root;
  let references = 0;
  for (let each = waiting.pop(); ; each = waiting.pop()) {
    if (!isObject(each)) return undefined;
    if (typeof each["$ref"] === "string") {
      references += 1;
      if (references > REFERENCES_MAX) return undefined;
      waiting.push(resolved(root, each["$ref"]));
    }
    if (![undefined, null, false].includes(each["additionalProperties"] as false) || "patternProperties" in each) return undefined;
    if (isObject(each["properties"])) {
      holdsNames = true;
      for (const [name, one] of Object.entries(each["properties"])) found.set(name, [...(found.get(name) ?? []), one]);
    }
    for (const word of ["anyOf", "oneOf", "allOf"]) waiting.push(...((each[word] ?? []) as unknown[]));
    if (waiting.length === 0) return holdsNames ? found : undefined;
  }
}

/** Return the schema behind a reference within the document. */
function resolved(root: JsonSchema, target: string): unknown {
  const parts = target.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return parts.reduce<unknown>((found, part) => (isObject(found) ? found[part] : undefined), root);
}

/** Return how alike two words are, from 0 to 1: twice the letters they share in order, of all their letters. */
function likeness(one: string, other: string): number {
  let shared = Array.from({ length: other.length + 1 }, () => 0);
  for (const letter of one) {
    const before = shared;
    shared = [0];
    for (let at = 0; at < other.length; at++) {
      const longer = Math.max(before[at + 1] ?? 0, shared[at] ?? 0);
      shared.push(letter === other[at] ? (before[at] ?? 0) + 1 : longer);
    }
  }
  return (2 * (shared.at(-1) ?? 0)) / Math.max(1, one.length + other.length);
}

function isObject(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
