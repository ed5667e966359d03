// Rows as lines, grids and curves, and all tables of an app.

import { h } from "./dom.js";
import { t } from "./words.js";
import { short } from "./cards.js";
import { world, rowsOf, nameOf, whenOf, markOf, keyText, plainText, target } from "./data.js";
import { onEnter, openRow, moment } from "./ui.js";
import { modelOf, allRows, chosenRows, newestFirst, firstOf, containersOf, cell, Badge, edgeOf, Containers, Parts } from "./rows.js";

const COLUMNS_MAX = 9,
  FIELDS_MAX = 10,
  ROWS = 100,
  LINES = 80,
  CURVES_MAX = 60;
export const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

export function Grid({ app, table }) {
  const model = modelOf(app, table);
  if (model.columns_of && model.kind === "grid") return h(Base, { app, table });
  const rows = chosenRows(app, table),
    isFilled = (name) => rows.some((row) => row[name] !== null && row[name] !== "");
  const names = Object.keys(model.columns)
    .filter((name) => !model.columns[name].hidden && isFilled(name))
    .slice(0, COLUMNS_MAX);
  return h(Sheet, {
    app,
    table,
    rows,
    head: names.map((name) => name.replace(/_/g, " ")),
    cells: (row) => names.map((name) => cell(app, table, row, name)),
  });
}

/** Draw a grid whose columns are rows of another table. */
function Base({ app, table }) {
  const { columns_of: fieldsTable, body } = modelOf(app, table),
    { items, groups, open } = containersOf(app, table);
  const fields = fieldsOf(app, table, open),
    [id] = modelOf(app, fieldsTable).key;
  const cells = (row) => {
    const values = parsed(row[body]);
    return fields.map((field) => fieldValue(values[field[id]] ?? values[nameOf(app, fieldsTable, field)]));
  };
  return h(
    "div",
    { class: "columns two" },
    h(Containers, { app, table, items, open }),
    h(Sheet, { app, table, rows: groups.get(open) ?? [], head: fields.map((field) => nameOf(app, fieldsTable, field)), cells }),
  );
}

/** Return the rows that are the columns of an open base. */
function fieldsOf(app, table, open) {
  const { columns_of: fieldsTable, within, columns } = modelOf(app, table),
    names = Object.entries(modelOf(app, fieldsTable).columns);
  const [shared] = names.find(([name]) => name === within) ?? names.find(([, column]) => column.target?.[0] === columns[within]?.target?.[0]) ?? [];
  return allRows(app, fieldsTable)
    .filter((row) => row[shared] === open)
    .slice(0, FIELDS_MAX);
}

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};
const fieldValue = (value) =>
  typeof value === "number" && value > 1e12
    ? moment(value)
    : short(plainText(typeof value === "object" && value !== null ? JSON.stringify(value) : value), 90);

function Sheet({ app, table, rows: all, head, cells }) {
  const { rows, more } = firstOf(`${app} ${table} sheet`, all, ROWS);
  return h(
    "div",
    { class: "sheet", tabindex: "0", role: "region", "aria-label": modelOf(app, table).many },
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { class: "slim" }, h("span", { class: "hide" }, t("changed"))),
          head.map((name) => h("th", { scope: "col" }, name)),
        ),
      ),
      h(
        "tbody",
        null,
        rows.map((row) => h(SheetRow, { key: keyText(app, table, row), app, table, row, cells })),
      ),
    ),
    more,
    !all.length && h("p", { class: "quiet pad" }, t("nothing")),
  );
}

function SheetRow({ app, table, row, cells }) {
  const mark = markOf(app, table, row);
  return h(
    "tr",
    { key: keyText(app, table, row), class: edgeOf(mark), onclick: openRow(app, table, row) },
    h("td", { class: "slim" }, h(Badge, { mark })),
    cells(row).map((value) => h("td", null, value)),
  );
}

export function List({ app, table }) {
  const all = newestFirst(app, table),
    { rows, more } = firstOf(`${app} ${table}`, all, LINES);
  return h(
    "section",
    { class: "list", "aria-label": modelOf(app, table).many },
    rows.map((row) => h(ListLine, { key: keyText(app, table, row), app, table, row })),
    more,
    !all.length && h("p", { class: "quiet pad" }, t("nothing")),
  );
}

function ListLine({ app, table, row }) {
  const { one, body, unread } = modelOf(app, table),
    mark = markOf(app, table, row),
    open = openRow(app, table, row);
  return h(
    "article",
    { class: `line${edgeOf(mark)}${unread && row[unread] ? " unread" : ""}`, tabindex: "0", onclick: open, onkeydown: onEnter(open) },
    h(
      "span",
      { class: "top" },
      h(Badge, { mark }),
      h("strong", { class: "name" }, nameOf(app, table, row) || one),
      h("time", null, moment(whenOf(app, table, row))),
    ),
    body && row[body] ? h("span", { class: "quiet clip" }, short(plainText(row[body]), 160)) : null,
    h(Parts, { app, table, row }),
  );
}

// -- numbers over time ---------------------------------------------------------------------------------------------------

export function Series({ app, table }) {
  const curves = new Map();
  for (const row of allRows(app, table)) {
    const name = curveName(app, table, row);
    curves.set(name, [...(curves.get(name) ?? []), [whenOf(app, table, row) ?? 0, Number(row[modelOf(app, table).value])]]);
  }
  return h(
    "section",
    { class: "series" },
    [...curves]
      .slice(0, CURVES_MAX)
      .map(([name, points]) =>
        h(
          "figure",
          { key: name },
          h("figcaption", null, name),
          h(Spark, { points: points.sort((a, b) => a[0] - b[0]).map((point) => point[1]), name }),
        ),
      ),
  );
}

function curveName(app, table, row) {
  const { key, when, columns } = modelOf(app, table);
  return key
    .filter((name) => name !== when)
    .map((name) => {
      const found = target(app, table, row, name);
      return found ? nameOf(app, columns[name].target[0], found) : row[name];
    })
    .join(" · ");
}

function Spark({ points, name }) {
  const low = Math.min(...points),
    high = Math.max(...points),
    span = high - low || 1;
  const path = points.map((value, n) => `${(n / Math.max(points.length - 1, 1)) * 116 + 2},${30 - ((value - low) / span) * 26}`).join(" ");
  return h(
    "span",
    { class: "spark" },
    h("svg", { viewBox: "0 0 120 34", role: "img", "aria-label": `${name}: ${low} – ${high}` }, h("polyline", { points: path })),
    h("strong", null, String(points.at(-1))),
  );
}

// -- all tables, and what an app without any was asked ---------------------------------------------------------------------

export function AllTables({ app, isAsked }) {
  return h(
    "div",
    { class: "all" },
    Object.entries(world.views[app].tables).map(([name, model]) =>
      model.kind === "hidden"
        ? h("p", { class: "quiet", key: name }, `${capital(model.many)} · ${t("hidden")}: ${model.why}`)
        : h(
            "details",
            { key: name },
            h("summary", null, `${capital(model.many)} `, h("span", { class: "quiet" }, rowsOf(app)[name]?.size ?? 0)),
            h(Grid, { app, table: name }),
          ),
    ),
    isAsked
      ? h(
          "div",
          null,
          h("p", { class: "quiet" }, t("noTables")),
          world.calls.filter((call) => call.app === app).map((call) => h(Question, { call, key: String(call.n) })),
        )
      : null,
  );
}

function Question({ call }) {
  const text = (call.result?.content ?? []).map((each) => each.text ?? `[${each.type}]`).join("\n"),
    places = placesIn(text);
  return h(
    "article",
    { class: "post" },
    h("strong", null, call.tool),
    h("pre", null, short(JSON.stringify(call.arguments, null, 1), 600)),
    h("div", null, places.length > 1 ? h(PlaceMap, { places }) : null, h("pre", null, short(text, 2000))),
  );
}

const COORDINATES = /"(-?\d{1,3}\.\d{3,}),\s*(-?\d{1,2}\.\d{3,})"|"lat":\s*(-?[\d.]+),\s*"lng":\s*(-?[\d.]+)/g,
  PLACES_MAX = 200;

/** Return the places in an answer, as [longitude, latitude]. */
const placesIn = (text) =>
  [...text.matchAll(COORDINATES)].slice(0, PLACES_MAX).map((m) => (m[1] ? [Number(m[1]), Number(m[2])] : [Number(m[4]), Number(m[3])]));

/** Draw places where they lie to one another, without tiles. */
function PlaceMap({ places }) {
  const [xs, ys] = [0, 1].map((n) => places.map((place) => place[n])),
    [left, bottom] = [Math.min(...xs), Math.min(...ys)],
    [width, height] = [Math.max(...xs) - left || 1e-3, Math.max(...ys) - bottom || 1e-3];
  return h(
    "svg",
    { class: "map", viewBox: "0 0 320 200", role: "img", "aria-label": `${places.length} places` },
    places.map(([x, y]) => h("circle", { cx: String(12 + ((x - left) / width) * 296), cy: String(188 - ((y - bottom) / height) * 176), r: "4" })),
  );
}
