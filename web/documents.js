// Pages and files below one another, and the text of one of them.

import { h } from "./dom.js";
import { t } from "./words.js";
import { rich } from "./text.js";
import { world, rowsOf, indexBy, nameOf, markOf, keyText } from "./data.js";
import { ui, choose, openRow } from "./ui.js";
import { modelOf, chosenRows, firstOf, groupBy, linkTo, rowsOfOwner, Badge, edgeOf } from "./rows.js";
import { Comments, commentsOf } from "./feed.js";

const SHOWN = 300,
  DEPTH_MAX = 8;

export function Tree({ app, table }) {
  const rows = chosenRows(app, table, false),
    chosen = chosenPage(app, table, rows);
  const { rows: lines, more } = firstOf(`${app} ${table}`, leavesOf(app, table, rows), SHOWN);
  return h(
    "div",
    { class: "columns two" },
    h(
      "nav",
      { class: "containers tree", "aria-label": modelOf(app, table).many },
      lines.map((line) =>
        line.folder
          ? h("div", { class: "folder", key: `f ${line.folder} ${line.key}` }, line.folder)
          : h(Leaf, { ...line, app, table, isChosen: line.row === chosen }),
      ),
      more,
    ),
    chosen ? h(Page, { app, table, row: chosen }) : h("p", { class: "quiet" }, t("nothing")),
  );
}

/** Return the page that is shown: the opened one, else a changed one, else the first that has a text. */
function chosenPage(app, table, rows) {
  const open = ui.open[`${app} row`],
    isWritten = hasText(app, table);
  return (
    rows.find((row) => keyText(app, table, row) === open) ??
    rows.find((row) => markOf(app, table, row)) ??
    rows.find((row) => textChanged(app, table, row)) ??
    rows.find(isWritten) ??
    rows[0]
  );
}

const textTables = (app, table) =>
  Object.entries(world.views[app].tables)
    .filter(([name, model]) => model.kind === "text" && linkTo(app, name, table).length)
    .map(([name]) => name);

/** Return a function: a page → whether it has a text of its own, or rows that are its text. */
function hasText(app, table) {
  const { body } = modelOf(app, table);
  const links = textTables(app, table).map((name) => {
    const [column, link] = linkTo(app, name, table);
    return [indexBy(rowsOf(app)[name], column), link.target[1]];
  });
  return (row) => Boolean(body && row[body]) || links.some(([by, key]) => by.has(row[key]));
}

const textChanged = (app, table, row) =>
  textTables(app, table).some((name) => rowsOfOwner(app, name, table, row).some((one) => markOf(app, name, one)));

/** Return the lines of a tree: {row, depth, name, key}, and {folder} above the files of one. */
function leavesOf(app, table, rows) {
  const { parent, key } = modelOf(app, table),
    id = key.at(-1);
  if (!parent && key.includes("path")) return filesOf(app, table, rows);
  const by = groupBy(rows, parent),
    ids = new Set(rows.map((row) => row[id]));
  const below = (row, depth) => [
    { row, depth, key: keyText(app, table, row) },
    ...(depth < DEPTH_MAX ? (by.get(row[id]) ?? []).flatMap((one) => below(one, depth + 1)) : []),
  ];
  return rows.filter((row) => !ids.has(row[parent])).flatMap((row) => below(row, 0));
}

function filesOf(app, table, rows) {
  const lines = [];
  let folder = null;
  for (const row of [...rows].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const at = row.path.lastIndexOf("/"),
      here = row.path.slice(0, Math.max(at, 0)),
      key = keyText(app, table, row);
    if (here !== folder && here) lines.push({ folder: here, key });
    folder = here;
    lines.push({ row, depth: here ? 1 : 0, name: row.path.slice(at + 1), key });
  }
  return lines;
}

function Leaf({ app, table, row, depth, name, isChosen, key }) {
  const mark = markOf(app, table, row);
  return h(
    "button",
    {
      key,
      class: `leaf${edgeOf(mark)}`,
      "aria-current": String(isChosen),
      style: { "padding-inline-start": `${0.75 + depth * 0.9}rem` },
      onclick: choose(() => {
        ui.open[`${app} row`] = keyText(app, table, row);
      }),
    },
    h(Badge, { mark }),
    h("span", { class: "name" }, name || nameOf(app, table, row) || t("untitled")),
  );
}

function Page({ app, table, row }) {
  const { body, columns, one } = modelOf(app, table),
    mark = markOf(app, table, row),
    said = commentsOf(app, table, row);
  return h(
    "section",
    { class: `letter${edgeOf(mark)}`, tabindex: "0", "aria-label": one },
    h("h2", null, h(Badge, { mark }), " ", nameOf(app, table, row) || row.path || t("untitled")),
    h(
      "div",
      { class: "text" },
      body && row[body] ? h("div", { class: "block" }, rich(row[body], columns[body].format, app)) : null,
      textTables(app, table).map((name) => h(Blocks, { key: name, app, name, table, row })),
    ),
    said.rows.length ? h(Comments, { app, table: said.name, rows: said.rows }) : null,
    h("button", { class: "plain quiet", onclick: openRow(app, table, row) }, t("row")),
  );
}

/** Draw the rows that are a page's text, in their order. */
function Blocks({ app, name, table, row }) {
  const { body, columns } = modelOf(app, name),
    rows = [...rowsOfOwner(app, name, table, row)];
  if ("position" in columns) rows.sort((a, b) => a.position - b.position);
  return h(
    "div",
    null,
    rows.map((one) =>
      h(
        "div",
        { key: keyText(app, name, one), class: `block${edgeOf(markOf(app, name, one))}` },
        h(Badge, { mark: markOf(app, name, one) }),
        rich(one[body], columns[body]?.format, app),
      ),
    ),
  );
}
