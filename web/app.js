// One app: its tabs, drawn by the kind of each table's view, and one opened row. Nothing here knows an app's name.

import { h } from "./dom.js";
import { t } from "./words.js";
import { world, within, rowsOf, indexBy, nameOf, markOf, changesSoFar, target, myAccount } from "./data.js";
import { ui, choose, closeRow, title, Switch } from "./ui.js";
import { modelOf, allRows, columnsOf, cell, isOwn, Badge, Parts } from "./rows.js";
import { Chat } from "./chat.js";
import { Mail } from "./mail.js";
import { Calendar } from "./calendar.js";
import { Feed } from "./feed.js";
import { Tree } from "./documents.js";
import { Grid, List, Series, AllTables, capital } from "./tables.js";

const DRAWN = { chat: Chat, mail: Mail, calendar: Calendar, feed: Feed, tree: Tree, list: List, grid: Grid, series: Series, answers: List };
const ALL = "*";

/** Return the tables of an app that have a tab of their own, as [table, model], in the order of ``DRAWN``. */
export function tabsOf(app) {
  const order = Object.keys(DRAWN);
  return Object.entries(world.views[app]?.tables ?? {})
    .filter(([, model]) => order.includes(model.kind) && (model.kind !== "grid" || model.columns_of))
    .sort((a, b) => order.indexOf(a[1].kind) - order.indexOf(b[1].kind));
}

export function App({ app }) {
  if (!rowsOf(app)) return h("p", { class: "quiet pad" }, t("loading"));
  const tabs = tabsOf(app),
    isTab = ui.tab === ALL || tabs.some(([name]) => name === ui.tab),
    chosen = isTab ? ui.tab : (tabs[0]?.[0] ?? ALL);
  return h(
    "div",
    { class: "app" },
    h(Tabs, { app, tabs, chosen }),
    chosen === ALL ? h(AllTables, { app, isAsked: !tabs.length }) : h(DRAWN[modelOf(app, chosen).kind] ?? Grid, { app, table: chosen, key: chosen }),
  );
}

function Tabs({ app, tabs, chosen }) {
  const take = (event) =>
    choose(() => {
      ui.filter = event.target.value;
    })();
  return h(
    "div",
    { class: "tabs" },
    h(
      "div",
      { role: "tablist", "aria-label": title(app), onkeydown: onArrows },
      [...tabs, [ALL, { many: t("all") }]].map(([name, model]) => h(Tab, { key: name, app, name, many: model.many, isChosen: name === chosen })),
    ),
    h("input", { class: "filter", type: "search", placeholder: t("search"), "aria-label": t("search"), value: ui.filter, oninput: take }),
    h(Switch, {
      words: t("changes"),
      isOn: ui.onlyChanges,
      flip: () => {
        ui.onlyChanges = !ui.onlyChanges;
      },
    }),
  );
}

function Tab({ app, name, many, isChosen }) {
  const count = changesSoFar()[app]?.[name]?.size,
    open = choose(() => {
      ui.tab = name;
      ui.filter = "";
    });
  return h(
    "button",
    { role: "tab", "aria-selected": String(isChosen), tabindex: isChosen ? "0" : "-1", onclick: open },
    capital(many),
    count ? h("span", { class: "count" }, count) : null,
  );
}

/** Move between tabs with the arrow keys. */
function onArrows(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tabs = [...event.currentTarget.children],
    next = tabs[tabs.indexOf(document.activeElement) + step];
  next?.focus();
  next?.click();
}

// -- what is unread ----------------------------------------------------------------------------------------------------------

/** Return an app's number of unread rows, as far as its views tell. */
export function unreadOf(app) {
  return Object.keys(world.views[app]?.tables ?? {})
    .filter((name) => rowsOf(app)?.[name])
    .reduce((sum, name) => sum + unreadIn(app, name), 0);
}

/** Return a table's number of unread rows: by a column of the row, by a mark of how far was read, or by a part such as a label. */
function unreadIn(app, table) {
  const { unread, kind } = modelOf(app, table),
    columns = columnsOf(app, table);
  if (unread) {
    const [owner] = columns.find(([, column]) => column.role === "person") ?? [];
    return allRows(app, table).filter((row) => row[unread] && (!owner || row[owner] === myAccount(app))).length;
  }
  if (kind === "read_mark") return unreadByMark(app, table);
  const marks = columns.filter(([, column]) => typeof column.read_mark === "string");
  return marks.reduce(
    (sum, [name, column]) => sum + allRows(app, table).filter((row) => row[name] === column.read_mark && isOwnersPart(app, table, row)).length,
    0,
  );
}

function isOwnersPart(app, table, row) {
  const [name, column] = columnsOf(app, table).find(([, each]) => each.parent) ?? [],
    owner = name && target(app, table, row, name);
  return !owner || isOwn(app, column.target[0], owner);
}

function unreadByMark(app, table) {
  const mark = modelOf(app, table),
    of = modelOf(app, mark.of),
    me = myAccount(app),
    by = indexBy(rowsOf(app)[mark.of], of.within);
  const [owner] = columnsOf(app, table).find(([, column]) => column.target && modelOf(app, column.target[0]).kind === "people") ?? [];
  const isUnread = (row, each) =>
    each[of.author] !== me && (!mark.thread || each[of.thread] === row[mark.thread]) && Number(each[of.key.at(-1)]) > Number(row[mark.value] ?? 0);
  return allRows(app, table)
    .filter((row) => row[owner] === me)
    .reduce((sum, row) => sum + (by.get(row[mark.within]) ?? []).filter((each) => isUnread(row, each)).length, 0);
}

// -- one opened row ------------------------------------------------------------------------------------------------------------

/** Draw one row with all its columns, the call that changed it, and what it was before. */
export function Detail() {
  const { side } = ui.open.detail;
  return side ? within(side, () => h(OpenedRow)) : h(OpenedRow);
}

function OpenedRow() {
  const { app, table, row } = ui.open.detail,
    { one } = modelOf(app, table),
    mark = markOf(app, table, row);
  const columns = columnsOf(app, table).filter(([name, column]) => !column.hidden && row[name] !== null && row[name] !== "");
  return h(
    "aside",
    { class: "detail", role: "dialog", "aria-label": one },
    h("header", null, h("h2", null, nameOf(app, table, row) || one), h("button", { onclick: closeRow, "aria-label": t("close") }, "×")),
    mark && h("p", { class: `changed ${mark.op}` }, h(Badge, { mark }), " ", mark.call ? mark.call.sentence || mark.call.tool : t("differs")),
    h(Parts, { app, table, row, long: true }),
    h(
      "dl",
      { class: "facts" },
      columns.map(([name]) => [
        h("dt", null, name.replace(/_/g, " ")),
        h("dd", null, before(app, table, mark, name, row), h("span", null, cell(app, table, row, name))),
      ]),
    ),
  );
}

/** Return what a changed column was before, or nothing. */
function before(app, table, mark, name, row) {
  return mark?.op === "update" && mark.old && mark.old[name] !== row[name] ? [h("del", null, cell(app, table, mark.old, name)), " → "] : null;
}
