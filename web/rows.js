// Rows of any table: which are shown, how they are marked, and what stands beside them.

import { h } from "./dom.js";
import { t } from "./words.js";
import { rich } from "./text.js";
import { SIGNS, short } from "./cards.js";
import { world, rowsOf, indexBy, nameOf, authorOf, whenOf, markOf, changesSoFar, millis, plainText, target, myAccount } from "./data.js";
import { ui, choose, onEnter, openRow, clockTime, moment } from "./ui.js";

const FRESH_MS = 2500,
  CHIPS_MAX = 8,
  CHIPS_LONG_MAX = 60,
  CHIP_LENGTH = 40;

export const modelOf = (app, table) => world.views[app].tables[table];
export const allRows = (app, table) => [...(rowsOf(app)?.[table]?.values() ?? [])];
/** Return the columns of a table as [name, column]. */
export const columnsOf = (app, table) => Object.entries(modelOf(app, table).columns);

/** Return the rows that calls have deleted, as they were. */
const deletedRows = (app, table) =>
  [...(changesSoFar()[app]?.[table]?.values() ?? [])].filter((mark) => mark.op === "delete").map((mark) => mark.old);

/** Return the rows that the filter and the switch for changes leave, with the deleted ones if `withDeleted`. */
export function chosenRows(app, table, withDeleted = true) {
  const words = ui.filter.toLowerCase(),
    rows = [...allRows(app, table), ...(withDeleted ? deletedRows(app, table) : [])];
  return rows.filter((row) => (!ui.onlyChanges || markOf(app, table, row)) && (!words || JSON.stringify(row).toLowerCase().includes(words)));
}

/** Return the chosen rows, the newest first. */
export const newestFirst = (app, table) => chosenRows(app, table).sort((a, b) => (whenOf(app, table, b) ?? 0) - (whenOf(app, table, a) ?? 0));

/** Return the first rows of a list, and the button that shows more of them. */
export function firstOf(name, rows, size) {
  const shown = ui.shown[name] ?? size;
  const more =
    rows.length > shown &&
    h(
      "button",
      {
        class: "more",
        onclick: choose(() => {
          ui.shown[name] = shown + size;
        }),
      },
      `${t("more")} (${rows.length - shown})`,
    );
  return { rows: rows.slice(0, shown), more };
}

/** Return value → rows with that value in a column. */
export function groupBy(rows, column) {
  const found = new Map();
  for (const row of rows) {
    if (!found.has(row[column])) found.set(row[column], []);
    found.get(row[column]).push(row);
  }
  return found;
}

// -- marks of changes --------------------------------------------------------------------------------------------------

export function Badge({ mark }) {
  return mark
    ? h("span", { class: `mark ${mark.op}`, title: mark.call ? `${t("madeBy")} ${mark.call.n}: ${mark.call.tool}` : t("changed") }, SIGNS[mark.op])
    : null;
}

/** Return the classes of a changed row. A change is new for a moment after it has come, so that the eye finds it. */
export const edgeOf = (mark) => (mark ? ` changed ${mark.op}${mark.call?.cameAt > performance.now() - FRESH_MS ? " fresh" : ""}` : "");

// -- containers on the left ----------------------------------------------------------------------------------------------

/** Draw the rooms of a table's rows; `items` are {id, name, mark}. */
export function Containers({ app, table, items, open }) {
  return h(
    "nav",
    { class: "containers", "aria-label": [world.side?.name, modelOf(app, table)?.many].filter(Boolean).join(": ") },
    items.map((each) =>
      h(
        "button",
        { key: each.id, class: each.mark ? "has-change" : "", "aria-current": String(each.id === open), onclick: openContainer(app, table, each.id) },
        h("span", { class: "name" }, each.name || t("untitled")),
        each.mark ? h("span", { class: "count" }, each.mark) : null,
      ),
    ),
  );
}

const openContainer = (app, table, id) =>
  choose(() => {
    ui.open[`${app} ${table}`] = id;
    ui.open[`${app} row`] = null;
  });

/** Return the rooms of a table's rows, those with changes first, then by their last row; the open one; and room → rows. */
export function containersOf(app, table) {
  const within = modelOf(app, table).within,
    groups = groupBy(chosenRows(app, table), within),
    changed = changesWithin(app, table, within);
  const last = new Map([...groups].map(([id, rows]) => [id, Math.max(0, ...rows.map((row) => whenOf(app, table, row) ?? 0))]));
  const items = [...groups.keys()].map((id) => ({ id, name: containerName(app, table, within, id), mark: changed.get(id) }));
  items.sort((a, b) => (b.mark ? 1 : 0) - (a.mark ? 1 : 0) || last.get(b.id) - last.get(a.id));
  const chosen = ui.open[`${app} ${table}`];
  return { items, groups, open: groups.has(chosen) ? chosen : items[0]?.id };
}

function changesWithin(app, table, within) {
  const found = new Map();
  for (const mark of changesSoFar()[app]?.[table]?.values() ?? []) found.set(mark.row[within], (found.get(mark.row[within]) ?? 0) + 1);
  return found;
}

function containerName(app, table, within, id) {
  const to = modelOf(app, table).columns[within]?.target,
    found = to && indexBy(rowsOf(app)[to[0]], to[1]).get(id)?.[0];
  return found ? nameOf(app, to[0], found) || String(id) : String(id ?? "");
}

// -- one row -------------------------------------------------------------------------------------------------------------

const hue = (name) => [...name].reduce((sum, c) => (sum * 31 + c.codePointAt(0)) % 360, 7);

export function Message({ app, table, row }) {
  const mark = markOf(app, table, row),
    who = authorOf(app, table, row),
    at = whenOf(app, table, row),
    open = openRow(app, table, row);
  return h(
    "article",
    { class: `message${edgeOf(mark)}`, tabindex: "0", onclick: open, onkeydown: onEnter(open) },
    h("span", { class: "face", style: { background: `hsl(${hue(who || "?")} 32% 46%)` }, "aria-hidden": "true" }, (who || "?").slice(0, 1)),
    h(
      "div",
      { class: "said" },
      h("header", null, h(Badge, { mark }), h("strong", null, who || "·"), h("time", null, at === null ? "" : clockTime(at))),
      h("div", { class: "text" }, bodyOf(app, table, row)),
      h(Parts, { app, table, row }),
    ),
  );
}

/** Return a row's text as nodes: of the first column with one, else its name, else its kind: a picture has no words. */
export function bodyOf(app, table, row) {
  const model = modelOf(app, table),
    columns = columnsOf(app, table);
  for (const [name, column] of [[model.body, model.columns[model.body]], ...columns.filter(([, c]) => c.role === "body" && !c.hidden)]) {
    const shown = name && row[name] ? rich(row[name], column?.format, app) : [];
    if (shown.length) return shown;
  }
  const kind = columns.find(([name, column]) => column.role === "kind" && row[name]),
    name = nameOf(app, table, row);
  return name ? rich(name, "plain", app) : kind ? h("span", { class: "chip" }, String(row[kind[0]])) : null;
}

/** Draw the small rows that a row owns: reactions, attachments, attendees. */
export function Parts({ app, table, row, long = false }) {
  const found = Object.keys(world.views[app].tables)
    .map((name) => [name, partsIn(app, name, table, row)])
    .filter(([, rows]) => rows.length);
  return found.length
    ? h(
        "div",
        null,
        found.map(([name, rows]) => h(PartsOf, { key: name, app, name, rows, owner: table, long })),
      )
    : null;
}

function PartsOf({ app, name, rows, owner, long }) {
  const counts = new Map();
  for (const row of rows) counts.set(partText(app, name, row, owner), (counts.get(partText(app, name, row, owner)) ?? 0) + 1);
  const isChanged = rows.some((row) => markOf(app, name, row));
  return h(
    "div",
    { class: `parts${isChanged ? " changed update" : ""}` },
    long && h("span", { class: "quiet" }, `${modelOf(app, name).many}: `),
    [...counts].slice(0, long ? CHIPS_LONG_MAX : CHIPS_MAX).map(([text, count]) => h("span", { class: "chip" }, text, count > 1 ? ` ${count}` : "")),
  );
}

/** Return the rows of a table of parts that belong to a row, by a link or by the key that both have. */
function partsIn(app, name, owner, row) {
  const model = modelOf(app, name),
    key = modelOf(app, owner).key;
  if (model.kind !== "part") return [];
  const [column, link] = linkTo(app, name, owner);
  if (column) return indexBy(rowsOf(app)[name], column).get(row[link.target[1]]) ?? [];
  return model.of === owner
    ? (indexBy(rowsOf(app)[name], key.at(-1)).get(row[key.at(-1)]) ?? []).filter((one) => key.every((each) => one[each] === row[each]))
    : [];
}

/** Return the first column of a table that refers to another table, as [name, column], or []. */
export const linkTo = (app, table, to) => columnsOf(app, table).find(([, column]) => column.target?.[0] === to) ?? [];

/** Return the rows of a table that refer to a row of another table. */
export function rowsOfOwner(app, table, owner, row) {
  const [column, link] = linkTo(app, table, owner);
  return column ? (indexBy(rowsOf(app)[table], column).get(row[link.target[1]]) ?? []) : [];
}

const NAMING = ["title", "file", "kind"],
  TELLING = [...NAMING, "person", "status", "key"];
const isId = (text) => /^[0-9a-f_-]{16,}$|^(ou|oc|om)_/.test(text);

/** Return what a part says in a chip: whom it names, or its own words. */
function partText(app, name, row, owner) {
  const model = modelOf(app, name),
    keys = modelOf(app, owner).key,
    columns = columnsOf(app, name),
    found = [];
  const isNamed = columns.some(([, column]) => NAMING.includes(column.role));
  for (const [column, each] of columns) {
    const isOwners = each.target?.[0] === owner || (model.of && keys.includes(column));
    if (each.hidden || isOwners || row[column] === null || row[column] === "" || each.role === "cosmetic" || each.role === "time") continue;
    const to = each.target && target(app, name, row, column);
    if (to && !isNamed) found.push(nameOf(app, each.target[0], to));
    if (!to && TELLING.includes(each.role) && typeof row[column] === "string" && !isId(row[column]))
      found.push(short(plainText(row[column], each.format), CHIP_LENGTH));
  }
  return found.slice(0, 2).join(" · ") || nameOf(app, name, row) || model.one;
}

/** Return whether a row lies in an account of the agent's person, or in nobody's. */
export function isOwn(app, table, row) {
  const { within, columns } = modelOf(app, table),
    to = columns[within]?.target?.[0],
    me = myAccount(app);
  return me === undefined || !to || modelOf(app, to).kind !== "people" || row[within] === me;
}

/** Return the value of a cell as people read it. */
export function cell(app, table, row, name) {
  const column = modelOf(app, table).columns[name],
    value = row[name];
  if (value === null || value === "") return "";
  const found = column.target && target(app, table, row, name);
  if (found) return short(nameOf(app, column.target[0], found) || String(value), 60);
  if (!column.time) return short(plainText(value, column.format), 120);
  const at = millis(column.time, value);
  return at === null ? String(value) : moment(at);
}
