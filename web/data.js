// What the page knows of an episode: views, rows, calls; and each state between two calls.

const fresh = () => ({
  episode: null,
  views: {},
  me: null,
  people: [],
  zone: "UTC",
  clock: null,
  calls: [],
  seen: new Set(),
  rows: {},
  loading: {},
  at: null,
  version: 0,
  marks: null,
  side: null,
  isFollowing: false,
  cache: newCache(),
});
const newCache = () => ({ states: new Map(), marks: new Map(), accounts: {}, snapshots: {} });

/** The state that is drawn: of the page's own episode, unless `within` has put another in its place. */
export const world = { ...fresh(), readOnly: false, isSignedOut: false, saved: null };

/** Return what a function draws of another state: `{at}` of the same episode, or all of another episode's. */
export function within(state, draw) {
  const own = { ...world };
  Object.assign(world, state, { side: state });
  try {
    return draw();
  } finally {
    Object.assign(world, own);
  }
}

let redraw = () => {};
/** Call a function whenever something has changed. */
export function onChange(call) {
  redraw = call;
}
/** Tell the page that something has changed. */
export function changed(state = world) {
  state.version += 1;
  redraw();
}

/** Return the parsed answer of one request to the control API. */
export async function ask(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: { "x-farm-page": "1", ...(body ? { "content-type": "application/json" } : {}) },
    body: body ? JSON.stringify(body) : undefined,
  });
  const told = await answer.json();
  if (answer.status === 401) {
    world.isSignedOut = true;
    changed();
  }
  if (!answer.ok) throw new Error(told?.error?.message ?? String(answer.status));
  return told;
}

const pathIn = (id, path) => `/v1/episodes/${encodeURIComponent(id)}${path}`;
export const ofEpisode = (path) => pathIn(world.episode.id, path);

const keyOf = (table, row) => JSON.stringify(table.key.map((name) => row[name]));
export const keyText = (app, table, row) => keyOf(world.views[app].tables[table], row);

/** Load all tables of an app of an episode once. */
export function load(app, state = world) {
  return (state.loading[app] ??= loadTables(app, state));
}

async function loadTables(app, state) {
  const found = {},
    tables = state.views[app]?.tables ?? {};
  await Promise.all(
    Object.entries(tables)
      .filter(([, table]) => table.kind !== "hidden")
      .map(async ([name, table]) => {
        const rows = (found[name] = new Map());
        for (let after = 0; after !== null;) {
          const page = await ask("GET", pathIn(state.episode.id, `/state/${app}/${name}?after=${after}&limit=5000`));
          for (const row of page.rows) rows.set(keyOf(table, row), row);
          after = page.next;
        }
      }),
  );
  state.rows[app] = found;
  changed(state);
}

/** Take new calls, in order, with the rows that each changed. */
function take(calls, state = world) {
  let isInOrder = true;
  for (const call of calls) {
    const name = `${call.app} ${call.n}`;
    if (state.seen.has(name)) continue;
    state.seen.add(name);
    if (state.isFollowing) call.cameAt = performance.now();
    isInOrder &&= !state.calls.length || before(state.calls.at(-1), call);
    state.calls.push(call);
    apply(call, state);
  }
  if (!isInOrder) {
    state.calls.sort((a, b) => (before(a, b) ? -1 : 1));
    state.cache = newCache();
  }
  changed(state);
}

const before = (a, b) => a.started_ns < b.started_ns || (a.started_ns === b.started_ns && a.app <= b.app);

function apply(call, state) {
  const rows = state.rows[call.app];
  for (const [name, list] of Object.entries(rows ? call.changes : {})) {
    const table = state.views[call.app].tables[name];
    for (const each of rows[name] ? list : []) {
      if (each.new) rows[name].set(keyOf(table, each.new), each.new);
      else rows[name].delete(keyOf(table, each.old));
    }
  }
}

let stream = null,
  settling = setTimeout(() => {
    world.isFollowing = true;
  }, 1500),
  onCalls = () => {};
/** Call a function with the calls that come while the page is open. */
export function onNewCalls(call) {
  onCalls = call;
}
/** Follow the episode's calls. */
export function follow() {
  stream?.close();
  stream = new EventSource(ofEpisode("/events"));
  stream.addEventListener("calls", (event) => {
    const calls = JSON.parse(event.data);
    take(calls);
    if (world.isFollowing) onCalls(calls);
    clearTimeout(settling);
    settling = setTimeout(() => {
      world.isFollowing = true;
      redraw();
    }, 1500);
  });
  stream.addEventListener("back", (event) => {
    const { app, last } = JSON.parse(event.data);
    world.calls = world.calls.filter((call) => call.app !== app || call.n <= last);
    world.seen = new Set(world.calls.map((call) => `${call.app} ${call.n}`));
    world.at = null;
    world.cache = newCache();
    if (world.loading[app]) world.loading[app] = loadTables(app, world);
    changed();
  });
}

const started = (episode, told) =>
  Object.assign(fresh(), {
    episode,
    views: told.apps,
    me: told.me,
    people: told.people,
    zone: told.zone,
    clock: episode.clock,
  });

/** Load an episode: who the agent is, and how its apps are shown. */
export async function openEpisode(id) {
  const episode = await ask("GET", pathIn(id, ""));
  Object.assign(world, started(episode, await ask("GET", pathIn(id, "/views"))));
  changed();
  follow();
}

/** Return the state of another episode, with its calls and an app's rows, to be drawn beside this one. */
export async function otherEpisode(id) {
  const episode = await ask("GET", pathIn(id, ""));
  const state = started(episode, await ask("GET", pathIn(id, "/views")));
  take((await ask("GET", pathIn(id, "/story"))).calls, state);
  return state;
}

/** Return this episode's state at a snapshot, as far as an app is concerned; null while it loads. `fail` is told of errors. */
export function atSnapshot(name, app, fail) {
  const known = (world.cache.snapshots[name] ??= { ...world, calls: [], at: null, rows: {}, cache: newCache(), asked: {} });
  if (!known.asked[app]) known.asked[app] = readSnapshot(name, app, known, world).catch(fail);
  return known.rows[app] ? { ...known, marks: null } : null;
}

/** Compute an app's rows at a snapshot: those of now without what has changed since. */
async function readSnapshot(name, app, state, now) {
  await load(app);
  const changes = (await ask("GET", pathIn(state.episode.id, `/diff?since=${encodeURIComponent(name)}`))).apps[app] ?? {};
  state.rows[app] = Object.fromEntries(
    Object.entries(now.rows[app]).map(([table, rows]) => [table, without(rows, changes[table] ?? [], now.views[app].tables[table])]),
  );
  changed(now);
}

/** Return rows without some changes: inserted rows are left out, others are as they were. */
function without(rows, changes, table) {
  const found = new Map(rows);
  for (const each of changes) {
    if (each.old) found.set(keyOf(table, each.old), each.old);
    else found.delete(keyOf(table, each.new));
  }
  return found;
}

/** Show what a saved file holds; it asks nobody for anything. */
export function openSaved(saved) {
  Object.assign(world, started(saved.episode, saved.views), { readOnly: true, saved });
  for (const [app, tables] of Object.entries(saved.rows)) {
    world.rows[app] = Object.fromEntries(
      Object.entries(tables).map(([name, rows]) => [name, new Map(rows.map((row) => [keyOf(world.views[app].tables[name], row), row]))]),
    );
    world.loading[app] = Promise.resolve();
  }
  world.calls = saved.calls;
  changed();
}

/** Return the account of the agent's person in an app. */
export const myAccount = (app) => world.me?.accounts?.[app];

/** Return whether an id is the account of the agent's person; some apps have numbers, the list of people has texts. */
export const isOwnAccount = (app, id) => myAccount(app) !== undefined && String(id) === String(myAccount(app));

/** Return table → key → row of an app after the chosen call, or now. */
export function rowsOf(app) {
  const now = world.rows[app];
  if (!now || world.at === null) return now;
  const name = `${app} ${world.at} ${world.calls.length}`,
    states = world.cache.states;
  if (!states.has(name)) {
    if (states.size > 20) states.clear();
    states.set(name, rowsThen(app, now));
  }
  return states.get(name);
}

function rowsThen(app, now) {
  const then = Object.fromEntries(Object.entries(now).map(([table, rows]) => [table, new Map(rows)]));
  for (const call of world.calls.slice(world.at).reverse()) {
    for (const [table, list] of Object.entries(call.app === app ? call.changes : {})) {
      for (const each of then[table] ? [...list].reverse() : []) {
        const key = keyOf(world.views[app].tables[table], each.old ?? each.new);
        if (each.old) then[table].set(key, each.old);
        else then[table].delete(key);
      }
    }
  }
  return then;
}

/** Return the calls up to the chosen one. */
export const callsSoFar = () => (world.at === null ? world.calls : world.calls.slice(0, world.at));

/** Return app → table → key → {op, call, old, row} of the rows that calls changed so far. */
export function changesSoFar() {
  if (world.marks) return world.marks;
  const calls = callsSoFar(),
    marks = world.cache.marks;
  if (!marks.has(world.at)) {
    if (marks.size > 20) marks.clear();
    marks.set(world.at, { count: 0, found: {} });
  }
  const known = marks.get(world.at);
  for (; known.count < calls.length; known.count += 1) mark(calls[known.count], known.found);
  return known.found;
}

function mark(call, found) {
  for (const [table, list] of Object.entries(call.changes)) {
    const model = world.views[call.app]?.tables[table];
    if (!model || model.internal) continue;
    const rows = ((found[call.app] ??= {})[table] ??= new Map());
    for (const each of list) {
      const key = keyOf(model, each.new ?? each.old),
        known = rows.get(key);
      if (known?.op === "insert" && each.op === "delete") rows.delete(key);
      else rows.set(key, { op: known?.op === "insert" ? "insert" : each.op, call, old: known ? known.old : each.old, row: each.new ?? each.old });
    }
  }
}

/** Return marks of an app's rows in which this state differs from another one: as if the other were the start. */
export function differences(app, other, isAfter) {
  const here = rowsOf(app) ?? {},
    found = {};
  const there = within(other, () => rowsOf(app)) ?? {};
  for (const [table, rows] of Object.entries(here)) {
    if (world.views[app].tables[table].internal) continue;
    const marks = (found[table] = new Map()),
      others = there[table] ?? new Map();
    for (const [key, row] of rows) {
      const old = others.get(key);
      if (!old) marks.set(key, { op: isAfter ? "insert" : "delete", old: row, row });
      else if (old !== row && JSON.stringify(old) !== JSON.stringify(row)) marks.set(key, { op: "update", old, row });
    }
  }
  return { [app]: found };
}

/** Return whether a row is kept but counts as deleted. */
export const isGone = (app, table, row) =>
  Object.entries(world.views[app].tables[table].columns).some(
    ([name, column]) => column.deleted_value !== undefined && row[name] === column.deleted_value,
  );

/** Return how a row was changed, or undefined. */
export const markOf = (app, table, row) => changesSoFar()[app]?.[table]?.get(keyText(app, table, row));

// -- names and times ---------------------------------------------------------------------------------------------

/** Return the milliseconds of a time column's value, or null. */
export function millis(form, value) {
  if (value === null || value === undefined || value === "") return null;
  const found = form === "rfc3339" || form === "date" ? Date.parse(value) : Number(value) / ({ ms: 1, ms_text: 1, us: 1000 }[form] ?? 1 / 1000);
  return Number.isFinite(found) && Math.abs(found) < 8e15 ? found : null;
}

/** Return when a row was made, in milliseconds, or null. */
export function whenOf(app, table, row, part = "when") {
  const model = world.views[app].tables[table];
  const column = model[part];
  return column ? millis(model.columns[column]?.time, row[column]) : null;
}

const indexes = new WeakMap();
/** Return the rows of a table by the value of one column: value → list. */
export function indexBy(rows, column) {
  if (!rows) return new Map();
  const known = indexes.get(rows) ?? {};
  const stamp = `${world.version}`;
  if (known[column]?.stamp === stamp) return known[column].found;
  const found = new Map();
  for (const row of rows.values()) {
    if (!found.has(row[column])) found.set(row[column], []);
    found.get(row[column]).push(row);
  }
  known[column] = { stamp, found };
  indexes.set(rows, known);
  return found;
}

/** Return the row that a column's value refers to, or undefined. */
export function target(app, table, row, column) {
  const to = world.views[app].tables[table].columns[column]?.target;
  const rows = to && rowsOf(app)?.[to[0]];
  return rows && row[column] !== null ? indexBy(rows, to[1]).get(row[column])?.[0] : undefined;
}

/** Return what a row is called, or an empty text. */
export function nameOf(app, table, row, depth = 0) {
  const model = world.views[app].tables[table];
  if (!row) return "";
  const titles = Object.entries(model.columns)
    .filter(([, column]) => column.role === "title")
    .map(([name]) => name);
  for (const name of [model.title, ...titles]) {
    if (!name || row[name] === null || row[name] === undefined) continue;
    const other = target(app, table, row, name);
    const told = other ? nameOf(app, model.columns[name].target[0], other, depth + 1) : plainText(row[name], model.columns[name]?.format);
    if (told) return told;
  }
  if (depth > 1) return "";
  // A direct message is called after its other member.
  const links = Object.entries(model.columns)
    .filter(([, column]) => column.target)
    .sort((a, b) => (b[1].role === "person") - (a[1].role === "person"));
  for (const [name, column] of links) {
    if (row[name] === null || isOwnAccount(app, row[name]) || name === model.author) continue;
    const other = target(app, table, row, name);
    const told = other && nameOf(app, column.target[0], other, depth + 1);
    if (told) return told;
  }
  return "";
}

/** Return the name of whoever made a row. */
export function authorOf(app, table, row) {
  const model = world.views[app].tables[table];
  for (const [name, column] of Object.entries(model.columns)) {
    if (column.role !== "author" || row[name] === null || row[name] === "") continue;
    if (!column.target) return personName(app, row[name]) ?? String(row[name]);
    const found = target(app, table, row, name);
    if (found) return nameOf(app, column.target[0], found);
  }
  return "";
}

function personName(app, id) {
  const accounts = world.cache.accounts;
  accounts[app] ??= new Map(world.people.filter((p) => p.accounts?.[app]).map((p) => [p.accounts[app], p.name_en || p.name_zh]));
  return accounts[app].get(id);
}

/** Return the visible text of a value, in one line at most of what it holds. */
export function plainText(value, format) {
  if (value === null || value === undefined) return "";
  const text = String(value);
  if (!/^[[{]/.test(text)) return text;
  try {
    return texts(JSON.parse(text), format).join(" ");
  } catch {
    return text;
  }
}

const SKIPPED = new Set(["tag", "type", "href", "annotations", "color", "link", "id", "user_id", "style", "image_key", "open_id", "language"]);
function texts(value) {
  if (Array.isArray(value)) return value.flatMap((each) => texts(each));
  if (value && typeof value === "object") {
    if (typeof value.plain_text === "string") return [value.plain_text];
    return Object.entries(value)
      .filter(([name]) => !SKIPPED.has(name))
      .flatMap(([, each]) => texts(each));
  }
  return typeof value === "string" && value ? [value] : typeof value === "number" ? [String(value)] : [];
}
