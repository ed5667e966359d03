// The bill: what an agent was asked, what it did call by call, what that changed, whom it told, and what it took.

import { h } from "./dom.js";
import { t } from "./words.js";
import { rich } from "./text.js";
import { world, ask, load, changesSoFar, callsSoFar, indexBy, nameOf, authorOf, whenOf, ofEpisode, plainText, target, rowsOf, isOwnAccount } from "./data.js";
import { changedRows, editedColumns } from "./changes.js";
import { HEADS, short, unwrapped, ChangeCard, Checks, Figures } from "./cards.js";
import { ui, choose, title, moment, openRow, say } from "./ui.js";
import { modelOf, cell } from "./rows.js";
import { Lines } from "./story.js";

const CHANGES_MAX = 200,
  TEXT_MAX = 600;

export function Bill() {
  for (const app of Object.keys(changesSoFar())) if (!world.loading[app]) load(app).catch(say); // for the names in it
  const calls = callsSoFar(),
    rows = changedRows();
  return h(
    "div",
    { class: "pad bill" },
    h("h1", null, t("whatItDid")),
    h(Whose),
    h(Sums, { calls, rows }),
    h(Asked),
    h(Deeds, { calls }),
    h(Verdict, { rows }),
    h(Changes, { rows }),
    h(Told, { rows }),
    h(ByApp, { calls }),
    h(Save),
  );
}

function Whose() {
  const me = world.me,
    name = [me?.name_en, me?.name_zh].filter(Boolean).join(" ");
  return h(
    "p",
    null,
    name ? `${t("for")} ` : null,
    name && h("strong", null, name),
    h("span", { class: "quiet" }, ` ${moment(Date.parse(world.clock.now))}`),
  );
}

function Sums({ calls, rows }) {
  const refused = calls.filter((call) => call.refused).length;
  const changed = rows.length ? `${rows.length} ${t("changedRows")}` : t("nothingChanged");
  return h(
    "p",
    { class: "quiet" },
    [`${calls.length} ${t("calls")}`, refused ? `${refused} ${t("refused")}` : "", changed].filter(Boolean).join(" · "),
  );
}

/** Show what the task told the agent to do. */
function Asked() {
  const text = world.saved ? world.saved.card?.instruction : cardOf(ui.task)?.instruction;
  return text ? h("section", null, h("h2", null, t("instruction")), h("blockquote", { class: "instruction" }, unwrapped(text))) : null;
}

const cardOf = (task) =>
  Object.values(ui.tasks ?? {})
    .flat()
    .find((each) => each.task === task);

function Deeds({ calls }) {
  if (!calls.length) return null;
  return h(
    "section",
    null,
    h("h2", null, t("steps")),
    h(Lines, { calls: calls.slice(0, CHANGES_MAX) }),
    calls.length > CHANGES_MAX && h("p", { class: "quiet" }, `… ${calls.length - CHANGES_MAX}`),
  );
}

// -- what was changed -------------------------------------------------------------------------------------------------

function Changes({ rows }) {
  const damaged = (verdictOf()?.damage ?? []).map((each) => damagedRow(each, rows));
  return Object.keys(HEADS).map((op) => h(ChangesOf, { key: op, op, damaged, rows: rows.filter((each) => each.op === op) }));
}

function ChangesOf({ op, damaged, rows }) {
  if (!rows.length) return null;
  return h(
    "section",
    null,
    h("h2", null, t(HEADS[op]), " ", h("span", { class: "quiet" }, rows.length)),
    h(
      "ul",
      { class: "changes" },
      rows
        .slice(0, CHANGES_MAX)
        .map((each, n) => h("li", { key: String(n), class: damaged.includes(each) ? "alarming" : "" }, h(Change, each))),
    ),
    rows.length > CHANGES_MAX && h("p", { class: "quiet" }, `… ${rows.length - CHANGES_MAX}`),
  );
}

function Change({ app, table, mark, op, parts }) {
  const model = modelOf(app, table),
    row = mark.row,
    isText = ["chat", "comments"].includes(model.kind),
    at = op === "update" ? null : beginning(app, table, row);
  return h(ChangeCard, {
    op,
    app: title(app),
    one: model.one,
    name: headOf(app, table, row),
    place: placeOf(app, table, row) + answeredBy(app, table, row) + (at === null ? "" : ` · ${moment(at)}`),
    text: op !== "update" || isText ? contentOf(app, table, row) : null,
    edits: op === "update" ? editedColumns(app, table, mark).map((name) => edit(app, table, mark, name)) : [],
    parts: op === "insert" ? partsText(app, parts) : "",
    open: openRow(app, table, row),
  });
}

/** Return when an event begins or something is due, or null. */
function beginning(app, table, row) {
  const model = modelOf(app, table);
  return model.kind === "calendar" || model.when?.includes("due") ? whenOf(app, table, row) : null;
}

/** Return a row's name; a message is shown by its text alone. */
function headOf(app, table, row) {
  const model = modelOf(app, table);
  if (["chat", "comments", "text"].includes(model.kind) && model.body) return "";
  if (model.kind === "part") return partName(app, table, row);
  if (model.kind === "cells") return valueOf(app, table, row);
  return nameOf(app, table, row) || people(app, table, row).join(", ") || String(model.key.map((name) => row[name]).at(-1));
}

/** Return what a part is called: by its own words, by whom it is about, or by what its key stands for; or nothing. */
function partName(app, table, row) {
  const model = modelOf(app, table),
    titles = Object.entries(model.columns).filter(
      ([name, column]) => ["title", "file"].includes(column.role) && typeof row[name] === "string" && !column.target,
    );
  const [owner, to] = ownerByKey(app, table, row);
  const key = model.key.filter(
    (name) => name !== model.within && !(owner && modelOf(app, to).key.includes(name)) && row[name] !== null && !isOwnAccount(app, row[name]),
  );
  const behind = key.map((name) => called(app, row[name]) ?? row[name]).find((each) => /^\p{L}[\p{L} ]*$|^[^\w\s]/u.test(String(each)));
  return titles.map(([name]) => plainText(row[name])).join(" ") || people(app, table, row).join(", ") || valueOf(app, table, row) || behind || "";
}

const valueOf = (app, table, row) => {
  const model = modelOf(app, table);
  return plainText(row[model.body] ?? row[model.value] ?? "", model.columns[model.body]?.format);
};

function contentOf(app, table, row) {
  const model = modelOf(app, table),
    body = row[model.body];
  if (!model.body || model.body === model.title || !plainText(body, model.columns[model.body]?.format)) return null;
  const format = model.columns[model.body].format;
  return rich(short(plainText(body, format), TEXT_MAX), format === "html" ? "plain" : format, app);
}

/** Return what a column was and is, as [name, old, new]; of long texts only what differs. */
function edit(app, table, mark, name) {
  const words = name.replace(/_/g, " "),
    format = modelOf(app, table).columns[name].format;
  if (/^(is|has)_/.test(name) && [0, 1].includes(mark.row[name])) return [words, "", t(mark.row[name] ? "yes" : "no")];
  const [before, after] = [mark.old[name], mark.row[name]].map((value) => plainText(value, format));
  if (before === after) return [words, ...differing(String(mark.old[name]), String(mark.row[name]))];
  const isLong = Math.max(before.length, after.length) > 100;
  return [words, ...(isLong ? differing(before, after) : [cell(app, table, mark.old, name), cell(app, table, mark.row, name)])];
}

/** Return the parts of two texts that differ, without what is the same before and behind them. */
function differing(before, after) {
  const start = same(before, after),
    rest = [before, after].map((text) => text.slice(start));
  const end = same(...rest.map((text) => [...text].reverse().join("")));
  return rest.map((text) => text.slice(0, text.length - end).trim());
}

function same(one, other) {
  let n = 0;
  while (n < one.length && n < other.length && one[n] === other[n]) n += 1;
  return n;
}

function partsText(app, parts) {
  const names = new Map();
  for (const { table, mark } of parts) {
    const many = modelOf(app, table).many;
    const name = headOf(app, table, mark.row);
    if (name) names.set(many, [...(names.get(many) ?? []), name]);
  }
  return [...names].map(([many, each]) => `${many}: ${[...new Set(each)].slice(0, 12).join(", ")}`).join(" · ");
}

/** Return where a row is or whom it goes to: ``→ Helen Zhou``, ``in general``; a conversation of two has no name of its own. */
function placeOf(app, table, row) {
  const model = modelOf(app, table);
  if (model.kind === "mail") return ` → ${people(app, table, row).join(", ")}`;
  const above = model.parent && row[model.parent] && called(app, row[model.parent], ["tree", "container", "part"]);
  if (above) return ` ${t("in")} ${above}`;
  const [found, to] = placeRow(app, table, row),
    name = found && nameOf(app, to, found);
  if (!name) return "";
  const { kind, body } = modelOf(app, to);
  if (["chat", "comments"].includes(kind)) return ` ${t("on")} “${short(plainText(found[body]) || name, 80)}”`;
  if (["mail", "feed"].includes(kind)) return ` ${t("on")} “${name}”`;
  return kind === "container" && !found[modelOf(app, to).title] ? ` → ${name}` : ` ${t("in")} ${name}`;
}

/** Return whom a message answers, and what: `, to Jason Ng “denied”`; nothing for one that answers none. */
function answeredBy(app, table, row) {
  const { thread, key, body } = modelOf(app, table),
    id = key.at(-1);
  if (!thread || !row[thread] || row[thread] === row[id]) return "";
  const first = (indexBy(rowsOf(app)?.[table], id).get(row[thread]) ?? []).find((each) => key.every((name) => name === id || each[name] === row[name]));
  return first ? `, ${t("answering")} ${authorOf(app, table, first)} “${short(plainText(first[body]), 60)}”` : "";
}

/** Return the row of which a row is a part by columns of the same names, with its table, or nothing: a reaction's message. */
function ownerByKey(app, table, row) {
  const to = modelOf(app, table).of,
    key = to && modelOf(app, to).key;
  const found = key?.every((name) => row[name] !== undefined) && rowsOf(app)?.[to]?.get(JSON.stringify(key.map((name) => row[name])));
  return found ? [found, to] : [];
}

/** Return the row in which a row opens, with its table; people are no places. */
function placeRow(app, table, row) {
  const byKey = modelOf(app, table).kind === "part" ? ownerByKey(app, table, row) : [];
  if (byKey.length) return byKey;
  const model = modelOf(app, table),
    links = Object.entries(model.columns).filter(([, column]) => column.target && modelOf(app, column.target[0]).kind !== "people");
  const [name, column] = links.find(([each]) => each === model.within) ?? links.find(([, each]) => each.parent) ?? [];
  return name && row[name] !== null ? [target(app, table, row, name), column.target[0]] : [];
}

// -- who was told -----------------------------------------------------------------------------------------------------

/** Show which people and rooms were told of something: rows of tables that notify, with their parts. */
function Told({ rows }) {
  const told = new Map();
  for (const { app, table, mark } of rows.flatMap((each) => [each, ...each.parts])) {
    if (!modelOf(app, table).notifies || !rowsOf(app)) continue;
    for (const who of toldBy(app, table, mark.row)) told.set(`${title(app)}: ${who}`, (told.get(`${title(app)}: ${who}`) ?? 0) + 1);
  }
  if (!told.size) return null;
  return h(
    "section",
    null,
    h("h2", null, t("told"), " ", h("span", { class: "quiet" }, told.size)),
    h(
      "ul",
      null,
      [...told]
        .slice(0, CHANGES_MAX)
        .map(([name, times]) => h("li", { key: name }, name, times > 1 ? h("span", { class: "quiet" }, ` ×${times}`) : null)),
    ),
  );
}

function toldBy(app, table, row) {
  const found = people(app, table, row),
    [room, to] = placeRow(app, table, row);
  const isRoom = room && !found.length && !["calendar", "part"].includes(modelOf(app, table).kind);
  return (isRoom ? [nameOf(app, to, room)] : found).filter(Boolean);
}

/** Return the names of the people that a row goes to or is about, without its author and the agent's own person. */
function people(app, table, row) {
  const model = modelOf(app, table),
    found = [];
  for (const [name, column] of Object.entries(model.columns)) {
    if (model.key.includes(name) && isReaction(app, model)) continue;
    if (name === model.author || column.role === "author" || row[name] === null || row[name] === "" || isOwnAccount(app, row[name])) continue;
    const to = column.target?.[0];
    if (to && modelOf(app, to).kind === "people") found.push(nameOf(app, to, target(app, table, row, name)) || String(row[name]));
    else if (!to && column.role === "person") found.push(...plainText(row[name]).split(/,\s*/));
    else if (!to && model.key.includes(name) && model.kind === "part") found.push(...[called(app, row[name], ["people"])].filter(Boolean));
  }
  return [...new Set(found)];
}

/** Return whether rows are what people do to a text, such as a like: the person in the key is the one who does it. */
const isReaction = (app, model) => ["chat", "comments", "feed"].includes(world.views[app].tables[model.columns[model.within]?.target?.[0]]?.kind);

/** Return the name of the person or room whose id this is, or undefined. */
function called(app, id, kinds = ["people", "container"]) {
  for (const [table, model] of Object.entries(world.views[app].tables)) {
    const row = kinds.includes(model.kind) && rowsOf(app)?.[table]?.get(JSON.stringify([id]));
    if (row) return nameOf(app, table, row);
  }
  return undefined;
}

// -- what it took -----------------------------------------------------------------------------------------------------

function ByApp({ calls }) {
  const by = new Map();
  for (const call of calls) {
    const line = by.get(call.app) ?? { calls: 0, refused: 0, bytes: 0 };
    line.calls += 1;
    line.refused += call.refused ? 1 : 0;
    line.bytes += (call.result_bytes ?? 0) + JSON.stringify(call.arguments).length;
    by.set(call.app, line);
  }
  if (!by.size) return null;
  return h(
    "section",
    null,
    h("h2", null, t("byApp")),
    h(Figures, {
      heads: ["apps", "callsHead", "refused", "tokens"],
      lines: [...by].map(([app, line]) => [title(app), line.calls, line.refused, Math.round(line.bytes / 4)]),
    }),
    h("p", { class: "quiet" }, t("tokensNote")),
  );
}

function Save() {
  if (world.saved) return null;
  const task = ui.verdict ? `?task=${encodeURIComponent(ui.task)}` : "";
  return h("p", null, h("a", { class: "button", href: ofEpisode(`/page.html${task}`), download: `${world.episode.id}.html` }, t("save")));
}

// -- what was asked for -----------------------------------------------------------------------------------------------

/** Show what a task asked for, and what nobody asked for. */
function Verdict({ rows }) {
  const verdict = verdictOf();
  if (world.saved && !verdict) return null;
  return h(
    "section",
    null,
    h("h2", null, t("asked"), " ", verdict ? h("span", { class: "quiet" }, ui.task ?? world.saved?.task ?? "") : null),
    world.saved ? null : h(TaskChoice),
    verdict ? h(Judged, { verdict, rows }) : h("p", { class: "quiet" }, t("chooseTask")),
  );
}

function Judged({ verdict, rows }) {
  const damage = verdict.damage ?? [];
  return h(
    "div",
    null,
    h(Checks, { points: verdict.checkpoints }),
    h("h2", { class: damage.length ? "alarm" : "" }, t("notAsked"), " ", h("span", { class: "quiet" }, damage.length)),
    damage.length
      ? h(
          "ul",
          { class: "changes" },
          damage.map((each, n) => h("li", { key: String(n) }, h(Damage, { damage: each, rows }))),
        )
      : h("p", { class: "quiet" }, t("nothingElse")),
  );
}

const verdictOf = () => (world.saved ? world.saved.verdict : ui.verdict);

/** Return the changed row that a verdict's damage names, or undefined. */
const damagedRow = (damage, rows) =>
  rows.find(
    ({ app, table, mark }) =>
      app === damage.app && table === damage.table && Object.entries(damage.key ?? {}).every(([name, value]) => mark.row[name] === value),
  );

function Damage({ damage, rows }) {
  const found = damagedRow(damage, rows);
  return found ? h("div", { class: "alarming" }, h(Change, { ...found, parts: [] })) : h("p", { class: "is-refused" }, damage.why);
}

function TaskChoice() {
  listSuites();
  const suite = ui.suite ?? "",
    tasks = ui.tasks?.[suite] ?? [];
  const fits = tasks.filter((each) => each.apps.every((app) => world.views[app]) && (!each.world || each.world === world.episode.world));
  return h(
    "div",
    { class: "bar" },
    h(
      "select",
      { "aria-label": t("suite"), onchange: (event) => takeSuite(event.target.value) },
      h("option", { value: "" }, t("suite")),
      (ui.suites ?? []).map((each) => h("option", { key: each.suite, value: each.suite, selected: each.suite === suite }, each.suite)),
    ),
    suite
      ? h(
          "select",
          { "aria-label": t("task"), onchange: (event) => judge(event.target.value) },
          h("option", { value: "" }, t("task")),
          fits.map((each) => h("option", { key: each.task, value: each.task, selected: each.task === ui.task }, each.title || each.task)),
        )
      : null,
  );
}

function listSuites() {
  if (ui.suites) return;
  ui.suites = [];
  ask("GET", "/v1/tasks").then(
    (told) =>
      choose(() => {
        ui.suites = told.suites;
      })(),
    say,
  );
}

function takeSuite(suite) {
  choose(() => {
    Object.assign(ui, { suite, task: null, verdict: null });
  })();
  if (suite) loadTasks(suite);
}

function loadTasks(suite) {
  if (ui.tasks?.[suite]) return;
  ask("GET", `/v1/tasks/${encodeURIComponent(suite)}`).then(
    (told) =>
      choose(() => {
        (ui.tasks ??= {})[suite] = told.tasks;
      })(),
    say,
  );
}

/** Hold the episode against a task. */
export function judge(task) {
  choose(() => {
    Object.assign(ui, { task, verdict: null });
  })();
  if (!task) return;
  loadTasks(task.split("/")[0]);
  ask("POST", ofEpisode("/check"), { task, answer: "" }).then(
    (verdict) =>
      choose(() => {
        ui.verdict = verdict;
      })(),
    say,
  );
}
