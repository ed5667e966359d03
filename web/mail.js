// Mails in three panes: boxes, a box's mails, one mail.

import { h } from "./dom.js";
import { t } from "./words.js";
import { short } from "./cards.js";
import { world, rowsOf, indexBy, nameOf, authorOf, whenOf, markOf, keyText, plainText } from "./data.js";
import { ui, choose, moment, Switch } from "./ui.js";
import { modelOf, columnsOf, newestFirst, firstOf, isOwn, linkTo, Badge, edgeOf, Containers, Parts, bodyOf } from "./rows.js";

const SHOWN = 80;

export function Mail({ app, table }) {
  const all = newestFirst(app, table),
    mine = all.filter((row) => isOwn(app, table, row)),
    isEvery = ui.open[`${app} everyone`];
  const { items, open, inside, boxes } = boxesOf(app, table, isEvery ? all : mine);
  const one = inside.find((row) => keyText(app, table, row) === ui.open[`${app} row`]) ?? inside.find((row) => markOf(app, table, row)) ?? inside[0];
  const { rows, more } = firstOf(`${app} ${table} ${open}`, inside, SHOWN);
  return h(
    "div",
    { class: `columns ${items.length > 1 ? "three" : "two"}` },
    items.length > 1 && h(Containers, { app, table, items, open }),
    h(
      "section",
      { class: "rows mails", "aria-label": [world.side?.name, modelOf(app, table).one].filter(Boolean).join(": ") },
      all.length > mine.length &&
        h(Switch, {
          words: t("everyone"),
          isOn: isEvery,
          flip: () => {
            ui.open[`${app} everyone`] = !isEvery;
          },
        }),
      rows.map((row) =>
        h(MailLine, { app, table, row, key: keyText(app, table, row), isChosen: row === one, isUnread: boxes(row).includes("UNREAD") }),
      ),
      more,
    ),
    one && h(Letter, { app, table, row: one }),
  );
}

/** Return the boxes of mails, the open one, the mails in it, and a function: a mail → its boxes. */
function boxesOf(app, table, rows) {
  const boxes = boxesOfMail(app, table),
    known = new Set(),
    changed = new Map();
  for (const row of rows)
    for (const box of boxes(row)) {
      known.add(box);
      if (markOf(app, table, row)) changed.set(box, (changed.get(box) ?? 0) + 1);
    }
  const items = [
    { id: "", name: t("allOfThem"), mark: 0 },
    ...[...known].sort().map((id) => ({ id, name: labelName(app, id), mark: changed.get(id) })),
  ];
  const open = ui.open[`${app} ${table}`] ?? changed.keys().next().value ?? (known.has("INBOX") ? "INBOX" : "");
  return { items, open, inside: open ? rows.filter((row) => boxes(row).includes(open)) : rows, boxes };
}

/** Return a function: a mail → its boxes, which are its labels, or the kind of a mail without labels. */
function boxesOfMail(app, table) {
  const [name, labels] = Object.entries(world.views[app].tables).find(([, other]) => other.kind === "part" && other.many === "labels") ?? [];
  const kind = columnsOf(app, table).find(([, column]) => column.role === "kind")?.[0],
    ofKind = (row) => (kind ? [row[kind]] : []);
  if (!labels) return ofKind;
  const [link] = linkTo(app, name, table),
    which = labels.key.find((column) => column !== link);
  const by = indexBy(rowsOf(app)[name], link),
    id = modelOf(app, table).key[0];
  return (row) => by.get(row[id])?.map((one) => one[which]) ?? ofKind(row);
}

function labelName(app, id) {
  for (const [table, other] of Object.entries(world.views[app].tables)) {
    const found = other.kind === "container" && rowsOf(app)[table]?.get(JSON.stringify([id]));
    if (found) return nameOf(app, table, found) || id;
  }
  return /^[A-Za-z_]+$/.test(id) ? id.slice(0, 1).toUpperCase() + id.slice(1).toLowerCase().replace(/_/g, " ") : String(id);
}

function MailLine({ app, table, row, isChosen, isUnread }) {
  const mark = markOf(app, table, row),
    id = keyText(app, table, row);
  return h(
    "button",
    {
      class: `line${edgeOf(mark)}${isUnread ? " unread" : ""}`,
      "aria-current": String(isChosen),
      onclick: choose(() => {
        ui.open[`${app} row`] = id;
      }),
    },
    h(
      "span",
      { class: "top" },
      h(Badge, { mark }),
      h("span", { class: "name" }, short(authorOf(app, table, row) || "·", 30)),
      h("time", null, moment(whenOf(app, table, row))),
    ),
    h("span", { class: "name" }, nameOf(app, table, row) || t("untitled")),
    h("span", { class: "quiet clip" }, short(plainText(row[modelOf(app, table).body]), 90)),
  );
}

function Letter({ app, table, row }) {
  const mark = markOf(app, table, row),
    columns = columnsOf(app, table),
    { one } = modelOf(app, table);
  const html = columns.find(([name, column]) => column.format === "html" && row[name]);
  return h(
    "section",
    { class: `letter${edgeOf(mark)}`, tabindex: "0", "aria-label": one },
    h("h2", null, h(Badge, { mark }), " ", nameOf(app, table, row) || t("untitled")),
    h(
      "dl",
      { class: "facts" },
      columns
        .filter(([name, column]) => ["author", "person"].includes(column.role) && row[name] && !column.hidden)
        .map(([name]) => [h("dt", null, name.replace(/_/g, " ")), h("dd", null, plainText(row[name]))]),
      h("dt", null, "·"),
      h("dd", null, moment(whenOf(app, table, row))),
    ),
    html ? h("iframe", { mail: row[html[0]], title: one, class: "mail" }) : h("div", { class: "text" }, bodyOf(app, table, row)),
    h(Parts, { app, table, row, long: true }),
  );
}
