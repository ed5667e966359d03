// What pages and reports share: a call in a sentence, a changed row, a table of figures. They are given all they show.

import { h } from "./dom.js";
import { t } from "./words.js";

export const SIGNS = { insert: "+", update: "~", delete: "−" };
export const HEADS = { insert: "created", update: "updated", delete: "deleted" };
export const short = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
/** Return the name of an app as people write it. */
export const appName = (app) => app.replace(/_/g, " ").replace(/\b\w/g, (c) => c.toUpperCase());

/** Draw a call: its number, app and sentence; its children once it is opened by `toggle`. */
export function Step({ number, app, sentence, by, state, title, isOpen, toggle, children }) {
  return h(
    "li",
    { class: state },
    h(
      "button",
      { class: "plain call", "aria-expanded": String(isOpen), onclick: toggle },
      h("span", { class: "number", title }, String(number)),
      h("span", { class: "app-name" }, app),
      h("span", { class: "sentence" }, by ? h("strong", null, `${by}: `) : null, sentence),
    ),
    isOpen ? h("div", { class: "opened" }, children) : null,
  );
}

/** Return how a call is marked: it was refused, it changed something, or neither. */
export const stateOfCall = (isRefused, isWrite) => (isRefused ? "is-refused" : isWrite ? "is-write" : "");

/** Draw a changed row: what it is and where, its text, and what was edited, as [name, old, new]. */
export function ChangeCard({ op, app, one, name, place, text, edits, parts, open }) {
  const line = [
    h("span", { class: `mark ${op}`, "aria-label": t(HEADS[op]) }, SIGNS[op]),
    h("span", { class: "app-name" }, app),
    `${one} `,
    name ? h("strong", null, short(String(name), 110)) : null,
    place ? h("span", { class: "quiet" }, ` ${place}`) : null,
  ];
  return h(
    "article",
    { class: `change changed ${op}` },
    open ? h("button", { class: "plain", onclick: open }, line) : h("div", null, line),
    text ? h("div", { class: "text" }, text) : null,
    edits?.length ? h(Edits, { edits }) : null,
    parts ? h("p", { class: "quiet" }, parts) : null,
  );
}

function Edits({ edits }) {
  return h(
    "dl",
    { class: "facts" },
    edits.map(([name, before, after]) => [
      h("dt", null, name),
      h(
        "dd",
        null,
        before ? h("del", null, short(before, 200)) : null,
        before && after ? " → " : null,
        after ? h("ins", null, short(after, 200)) : null,
      ),
    ]),
  );
}

/** Draw a table; heads are words of the page, the first cell of a line names it. */
export function Figures({ heads, lines }) {
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": heads.map(t).join(", ") },
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          heads.map((name) => h("th", { scope: "col", key: name }, t(name))),
        ),
      ),
      h(
        "tbody",
        null,
        lines.map((line, n) =>
          h(
            "tr",
            { key: String(n) },
            line.map((value, at) => (at ? h("td", null, value) : h("th", { scope: "row" }, value))),
          ),
        ),
      ),
    ),
  );
}

/** Draw what a check of a task found: each checkpoint with its reason. */
export function Checks({ points }) {
  return h(
    "ul",
    { class: "checks" },
    points.map((each) =>
      h(
        "li",
        { key: each.id, class: each.score >= 1 ? "is-write" : "is-refused" },
        h("strong", null, each.score >= 1 ? "✓ " : "✗ "),
        `${each.id.replace(/-/g, " ")} `,
        h("span", { class: "quiet" }, each.why),
      ),
    ),
  );
}

/** Return a text without the line breaks that only its file has. */
export const unwrapped = (text) =>
  text
    .trim()
    .replace(/([\u3000-\u9fff\uff00-\uffef])\n(?=\S)/g, "$1")
    .replace(/([^\n])\n(?!\n)/g, "$1 ");
