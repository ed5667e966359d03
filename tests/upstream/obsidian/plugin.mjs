// A stand-in for Obsidian with the Local REST API plugin, on a vault given as JSON; it prints the port it listens on.
//
// What the plugin leaves to libraries is done by those very libraries: patches by markdown-patch, rules by
// json-logic-js, globs by glob-to-regexp, frontmatter by yaml, dates by moment. Its routes and refusals are written anew
// after its own, and so are tags and the search for words, which are Obsidian's.
//
// usage: node plugin.mjs VAULT.json FOLDER-OF-NODE-MODULES…
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";

const [vaultFile, ...folders] = process.argv.slice(2);
const load = (name) => {
  for (const folder of folders) {
    try {
      return createRequire(`${folder}/here.js`)(name);
    } catch (problem) {
      if (problem.code !== "MODULE_NOT_FOUND") throw problem;
    }
  }
  throw new Error(`no ${name} in ${folders.join(", ")}`);
};
const { applyPatch, PatchFailed } = load("markdown-patch");
const jsonLogic = load("json-logic-js");
const globToRegexp = load("glob-to-regexp");
const yaml = load("yaml");
const moment = load("moment");

const vault = JSON.parse(readFileSync(vaultFile, "utf8"));
const files = new Map(vault.files.map((file) => [file.path, file]));

const areTexts = (...values) => values.every((value) => typeof value === "string");
jsonLogic.add_operation("glob", (glob, text) => areTexts(glob, text) && globToRegexp(glob).test(text));
jsonLogic.add_operation("regexp", (pattern, text) => areTexts(pattern, text) && new RegExp(pattern).test(text));

class Refusal extends Error {
  constructor(code, base, detail) {
    super(detail === undefined ? base : `${base}\n${detail}`);
    this.code = code;
  }
}
const notFound = () => new Refusal(40400, "Not Found");
const crashed = (detail) => new Refusal(50000, "Internal Server Error", detail);
const onDisk = (path) => path.split("/").filter(Boolean).join("/");
const isShown = (path) => !path.split("/").some((segment) => segment.startsWith("."));
const shown = () => [...files.values()].filter((file) => isShown(file.path));
const notes = () => shown().filter((file) => file.path.endsWith(".md"));

function write(path, content) {
  const name = onDisk(path);
  // What has no half pairs, as a disk has it.
  const text = Buffer.from(content, "utf8").toString("utf8");
  files.set(name, { path: name, ctime: files.get(name)?.ctime ?? Date.now(), mtime: Date.now(), content: text });
}

function frontmatterOf(content) {
  const head = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(content);
  if (!head) return [{}, content];
  try {
    const parsed = yaml.parse(head[1].trim());
    return [parsed && typeof parsed === "object" ? parsed : {}, content.slice(head[0].length)];
  } catch {
    return [{}, content.slice(head[0].length)];
  }
}

function describe(file) {
  const [frontmatter, body] = frontmatterOf(file.content);
  const plain = body.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, " ");
  const inline = [...plain.matchAll(/(?<!\S)#([^\s!"#$%&'()*+,.:;<=>?@[\\\]^`{|}~]+)/g)].map((found) => found[1]);
  const listed = Array.isArray(frontmatter.tags) ? frontmatter.tags : [];
  const tags = [...listed, ...inline.filter((tag) => !/^\d+$/.test(tag))].filter(Boolean).map((tag) => `${tag}`.replace(/^#/, ""));
  const stat = { ctime: file.ctime, mtime: file.mtime, size: Buffer.byteLength(file.content) };
  return { tags: [...new Set(tags)], frontmatter, stat, path: file.path, content: file.content };
}

function list(folder) {
  const inside = shown().filter((file) => file.path.startsWith(folder)).map((file) => file.path.slice(folder.length));
  const names = [...new Set(inside.map((path) => (path.includes("/") ? path.slice(0, path.indexOf("/") + 1) : path)))];
  if (!names.length) throw notFound();
  return { files: names.sort() };
}

function read(path, accept) {
  if (!path || path.endsWith("/")) return { json: list(path) };
  const file = files.get(onDisk(path));
  if (!file) throw notFound();
  if (accept === "application/vnd.olrapi.note+json") return { text: JSON.stringify(describe(files.get(path)), null, 2) };
  return { text: file.content };
}

function search(query, length) {
  const words = query.toLowerCase().split(" ").filter(Boolean);
  const results = [];
  for (const file of words.length ? notes() : []) {
    const text = file.content.toLowerCase();
    const places = [];
    for (const word of new Set(words)) {
      const before = places.length;
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) places.push([at, at + word.length]);
      if (places.length === before) places.length = 0;
      if (!places.length) break;
    }
    if (!places.length) continue;
    places.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const [first, last] = [places[0][0], places.at(-1)[1]];
    const score = -(places.length - 1) - (last - first + 1 - query.length) / 100 - first / 1000 - text.length / 10000;
    const matches = places.map(([start, end]) => ({
      context: file.content.slice(Math.max(start - length, 0), end + length),
      match: { start, end },
    }));
    results.push({ filename: file.path, score, matches });
  }
  return results.sort((a, b) => (a.score > b.score ? 1 : -1));
}

function reckon(rule) {
  const results = [];
  for (const file of notes()) {
    try {
      const result = jsonLogic.apply(rule, describe(file));
      const says = Array.isArray(result) ? result.length : result && typeof result === "object" ? Object.keys(result).length : result;
      if (says) results.push({ filename: file.path, result });
    } catch (problem) {
      throw new Refusal(40070, "The query you provided could not be processed.", `${problem.message} (while processing ${file.path})`);
    }
  }
  return results;
}

function changes(query) {
  const [, days] = /dur\((\d+) days\)/.exec(query);
  const [, limit] = /LIMIT (\d+)/.exec(query);
  const since = moment.utc(Date.now()).startOf("day").subtract(Number(days), "days").valueOf();
  const found = notes().filter((file) => file.mtime >= since).sort((a, b) => b.mtime - a.mtime).slice(0, Number(limit));
  const time = (file) => moment.utc(file.mtime).format("YYYY-MM-DDTHH:mm:ss.SSSZ");
  return found.map((file) => ({ filename: file.path, result: { "file.mtime": time(file) } }));
}

const UNITS = { daily: "day", weekly: "week", monthly: "month", quarterly: "quarter", yearly: "year" };
const FORMATS = { daily: "YYYY-MM-DD", weekly: "gggg-[W]ww", monthly: "YYYY-MM", quarterly: "YYYY-[Q]Q", yearly: "YYYY" };

function periodic(period, accept) {
  const setting = vault.periods[period];
  if (!setting) throw new Refusal(40060, "Specified period is not enabled.");
  const format = (setting.format || FORMATS[period]).split("/").pop();
  const found = shown().filter((file) => {
    if (!file.path.startsWith(`${setting.folder}/`)) return false;
    const stem = file.path.split("/").pop().replace(/\.[^.]*$/, "");
    const day = moment.utc(stem, format, true);
    return day.isValid() && day.isSame(moment.utc(Date.now()), UNITS[period]);
  });
  if (!found.length) throw new Refusal(40461, "Periodic note does not exist for the specified period.");
  return read(found.at(-1).path, accept);
}

function change(method, path, body, headers) {
  if (!path || path.endsWith("/")) {
    throw new Refusal(40510, "Request method is valid only for file paths, not directories.");
  }
  const text = body.replace(/^\ufeff/, "");
  const file = isShown(path) ? files.get(path) : undefined;
  if (method === "DELETE") {
    if (!files.delete(onDisk(path))) throw notFound();
  } else if (method === "PUT") {
    write(path, text);
  } else if (method === "POST") {
    write(path, file ? `${file.content}${file.content.endsWith("\n") ? "" : "\n"}${text}` : text);
  } else {
    if (!file) throw notFound();
    const targetType = headers["target-type"];
    const target = decodeURIComponent(headers.target);
    const instruction = {
      operation: headers.operation,
      targetType,
      target: targetType === "heading" ? target.split("::") : target,
      contentType: "text/markdown",
      content: text,
      applyIfContentPreexists: false,
      trimTargetWhitespace: false,
      createTargetIfMissing: false,
    };
    try {
      write(path, applyPatch(file.content, instruction));
    } catch (problem) {
      if (!(problem instanceof PatchFailed)) throw crashed(problem.message);
      throw new Refusal(40080, "The patch you provided could not be applied to the target content.", problem.reason);
    }
    return { text: files.get(path).content };
  }
  return { status: 204, text: "" };
}

function answer(request, body) {
  const [target, query = ""] = request.url.split("?");
  const { method, headers } = request;
  if (target === "/") return { json: { status: "OK", service: "Obsidian Local REST API" } };
  if (target.startsWith("/vault/")) {
    const raw = target.slice("/vault/".length);
    let path;
    try {
      path = decodeURIComponent(raw);
    } catch {
      throw crashed(`Failed to decode param '${raw}'`);
    }
    return method === "GET" ? read(path, headers.accept) : change(method, path, body, headers);
  }
  if (target === "/search/simple/" && method === "POST") {
    const asked = new URLSearchParams(query);
    return { json: search(asked.get("query"), parseInt(asked.get("contextLength"), 10) ?? 100) };
  }
  if (target === "/search/" && method === "POST") {
    return { json: headers["content-type"].includes("jsonlogic") ? reckon(JSON.parse(body)) : changes(body) };
  }
  const period = /^\/periodic\/(\w+)\/$/.exec(target);
  if (period && method === "GET") return periodic(period[1], headers.accept);
  throw notFound();
}

const server = createServer((request, response) => {
  const pieces = [];
  request.on("data", (piece) => pieces.push(piece));
  request.on("end", () => {
    let said;
    try {
      said = answer(request, Buffer.concat(pieces).toString("utf8"));
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      said = { status: Math.floor(problem.code / 100), json: { message: problem.message, errorCode: problem.code } };
    }
    const type = said.json === undefined ? "text/markdown" : "application/json";
    response.writeHead(said.status ?? 200, { "content-type": `${type}; charset=utf-8` });
    response.end(said.json === undefined ? said.text : JSON.stringify(said.json, null, 2));
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
