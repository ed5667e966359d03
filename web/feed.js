// Posts, the newest first, each with its comments; other pages show comments, too.

import { h } from "./dom.js";
import { t } from "./words.js";
import { rich } from "./text.js";
import { short } from "./cards.js";
import { world, nameOf, authorOf, whenOf, markOf, keyText } from "./data.js";
import { ui, choose, openRow, moment } from "./ui.js";
import { modelOf, columnsOf, newestFirst, firstOf, groupBy, linkTo, rowsOfOwner, Badge, edgeOf, Message } from "./rows.js";

const SHOWN = 40,
  TEXT_MAX = 900,
  AMOUNTS_MAX = 3,
  COMMENTS_MAX = 60,
  DEPTH_MAX = 4;

export function Feed({ app, table }) {
  const all = newestFirst(app, table),
    { rows, more } = firstOf(`${app} ${table}`, all, SHOWN);
  return h(
    "section",
    { class: "feed", "aria-label": modelOf(app, table).many },
    rows.map((row) => h(Post, { app, table, row, key: keyText(app, table, row) })),
    more,
    !all.length && h("p", { class: "quiet" }, t("nothing")),
  );
}

function Post({ app, table, row }) {
  const { body, columns, title } = modelOf(app, table),
    mark = markOf(app, table, row),
    said = commentsOf(app, table, row);
  const key = `${app} open ${keyText(app, table, row)}`,
    marked = said.rows.filter((one) => markOf(app, said.name, one)).length,
    isOpen = ui.open[key] ?? marked > 0;
  return h(
    "article",
    { class: `post${edgeOf(mark)}` },
    h("header", null, h(Badge, { mark }), h("strong", null, authorOf(app, table, row) || "·"), h("time", null, moment(whenOf(app, table, row)))),
    title && nameOf(app, table, row)
      ? h("h2", null, h("button", { class: "plain", onclick: openRow(app, table, row) }, nameOf(app, table, row)))
      : null,
    h("div", { class: "text clamp" }, body && row[body] ? rich(short(String(row[body]), TEXT_MAX), columns[body].format, app) : null),
    h(
      "footer",
      null,
      h(Amounts, { app, table, row }),
      said.rows.length
        ? h(
            "button",
            {
              class: "plain",
              "aria-expanded": String(isOpen),
              onclick: choose(() => {
                ui.open[key] = !isOpen;
              }),
            },
            `${said.rows.length} ${modelOf(app, said.name).many}`,
            marked ? h("span", { class: "count" }, `+${marked}`) : null,
          )
        : null,
    ),
    isOpen && h(Comments, { app, table: said.name, rows: said.rows }),
  );
}

function Amounts({ app, table, row }) {
  const amounts = columnsOf(app, table)
    .filter(([name, column]) => column.role === "amount" && row[name])
    .slice(0, AMOUNTS_MAX);
  return h(
    "span",
    null,
    amounts.map(([name]) => h("span", { class: "chip" }, `${row[name]} ${name.replace(/_base|_count/g, "").replace(/_/g, " ")}`)),
  );
}

/** Return the comments of a row, with the name of their table. */
export function commentsOf(app, table, row) {
  const [name] =
    Object.entries(world.views[app].tables).find(([other, model]) => model.kind === "comments" && linkTo(app, other, table).length) ?? [];
  return { name, rows: name ? rowsOfOwner(app, name, table, row) : [] };
}

export function Comments({ app, table, rows }) {
  const model = modelOf(app, table),
    above = model.thread ?? model.parent,
    by = groupBy(rows, above),
    known = new Set(rows.map((row) => row[model.key[0]]));
  const level = (row, depth) =>
    h(
      "div",
      { key: keyText(app, table, row), class: depth ? "answers" : "" },
      h(Message, { app, table, row }),
      depth < DEPTH_MAX && (by.get(row[model.key[0]]) ?? []).map((one) => level(one, depth + 1)),
    );
  return h(
    "div",
    { class: "comments" },
    rows
      .filter((row) => !above || !known.has(row[above]))
      .slice(0, COMMENTS_MAX)
      .map((row) => level(row, 0)),
  );
}
