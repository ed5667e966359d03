/** Files that a test gives to its world, in the form of the control API. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { getSystemErrorMap } from "node:util";

import { McpFarmError } from "./errors.js";

/** The content of a file: text, or bytes. */
export type Content = string | Uint8Array;

/**
 * Files: paths on this disk, which the apps of the world that read files of their machine find at the same paths;
 * or app to path to content.
 */
export type GivenFiles = readonly string[] | Readonly<Record<string, Readonly<Record<string, Content>>>>;

type Body = { text: string } | { base64: string };

/**
 * Return files as the control API's `files`.
 *
 * @throws {@link McpFarmError} a file cannot be read, or a value has the wrong form.
 */
export function toRequest(files: GivenFiles): Record<string, Record<string, Body>> {
  if (Array.isArray(files)) {
    return { "*": Object.fromEntries((files as string[]).map((path) => [resolve(path), read(path)])) };
  }
  if (typeof files !== "object" || files === null) {
    throw new McpFarmError("files is a list of paths, or an object of app to path to content");
  }
  return Object.fromEntries(Object.entries(files).map(([app, listed]) => [app, bodies(app, listed as object)]));
}

function bodies(app: string, listed: object): Record<string, Body> {
  if (typeof listed !== "object" || listed === null || Array.isArray(listed)) {
    throw new McpFarmError(`the files of ${app} are an object of path to text or Uint8Array`);
  }
  return Object.fromEntries(Object.entries(listed).map(([path, content]) => [path, body(path, content)]));
}

function body(path: string, content: unknown): Body {
  if (typeof content === "string") return { text: content };
  if (content instanceof Uint8Array) return { base64: Buffer.from(content).toString("base64") };
  throw new McpFarmError(`the file '${path}' is text or a Uint8Array, not ${String(content)}`);
}

function read(path: string): Body {
  try {
    return { base64: readFileSync(path).toString("base64") };
  } catch (problem) {
    const { errno, message } = problem as NodeJS.ErrnoException;
    throw new McpFarmError(`the file ${path} cannot be read: ${getSystemErrorMap().get(errno ?? 0)?.[1] ?? message}`);
  }
}
