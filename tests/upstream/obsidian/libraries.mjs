// Asks the libraries that the Local REST API plugin is built of, at the versions it locks: a question a line, an answer a line.
//
// usage: node libraries.mjs FOLDER-OF-NODE-MODULES… < questions.jsonl > answers.jsonl
import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";

const load = (name) => {
  for (const folder of process.argv.slice(2)) {
    try {
      return createRequire(`${folder}/here.js`)(name);
    } catch (problem) {
      if (problem.code !== "MODULE_NOT_FOUND") throw problem;
    }
  }
  throw new Error(`no ${name}`);
};
// markdown-patch takes the YAML that the plugin locks, whatever was installed beside it.
const [lockedYaml] = process.argv.slice(2).filter((folder) => folder.includes("yaml@"));
const resolve = Module._resolveFilename;
Module._resolveFilename = function (name, ...rest) {
  return name === "yaml" ? createRequire(`${lockedYaml}/here.js`).resolve("./yaml") : resolve.call(this, name, ...rest);
};
const { applyPatch, PatchFailed } = load("markdown-patch");
const { getDocumentMap } = load("markdown-patch/dist/map.js");
const jsonLogic = load("json-logic-js");
const globToRegexp = load("glob-to-regexp");
const yaml = load("yaml");
const moment = load("moment");
const areTexts = (...values) => values.every((value) => typeof value === "string");
jsonLogic.add_operation("glob", (glob, text) => areTexts(glob, text) && globToRegexp(glob).test(text));
jsonLogic.add_operation("regexp", (pattern, text) => areTexts(pattern, text) && new RegExp(pattern).test(text));
console.log = console.warn = () => {};
process.emitWarning = () => {};

const MARK = "\u27e6";
const UNITS = { daily: "day", weekly: "week", monthly: "month", quarterly: "quarter", yearly: "year" };
const patch = (document, operation, targetType, target, content) =>
  applyPatch(document, {
    operation,
    targetType,
    target,
    contentType: "text/markdown",
    content,
    applyIfContentPreexists: false,
    trimTargetWhitespace: false,
    createTargetIfMissing: false,
  });

// Where a mark goes, or the whole text where it is more than that.
function place(note, operation, kind, target) {
  const text = patch(note, operation, kind, target, MARK);
  return text.replace(MARK, "") === note ? text.indexOf(MARK) : text;
}

const ASK = {
  targets({ note }) {
    const map = getDocumentMap(note);
    const of = (kind, key, target) => [key, place(note, "prepend", kind, target), place(note, "append", kind, target)];
    return {
      heading: Object.keys(map.heading).map((key) => of("heading", key.split("\u001f").join("::"), key.split("\u001f"))),
      block: Object.keys(map.block).map((key) => of("block", key, key)),
    };
  },
  field: ({ note, operation, field, content }) => patch(note, operation, "frontmatter", field, content),
  // The plugin shows what is neither false nor empty.
  logic({ rule, data }) {
    const value = jsonLogic.apply(rule, data);
    const says = Array.isArray(value) ? value.length : value && typeof value === "object" ? Object.keys(value).length : value;
    return says ? [value] : [];
  },
  yaml: ({ text }) => yaml.parse(text.trim()),
  moment({ stem, format, period, today }) {
    moment.now = () => Date.parse(`${today}T09:00:00Z`);
    const day = moment.utc(stem, format, true);
    return day.isValid() && day.isSame(moment.utc(today), UNITS[period]);
  },
  format: ({ format, day }) => moment.utc(day).format(format),
};

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const question = JSON.parse(line);
  let answer;
  try {
    const value = ASK[question.ask](question);
    answer = { is: value === undefined ? null : value };
  } catch (problem) {
    answer = { fails: problem instanceof PatchFailed ? problem.reason : problem.message };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
