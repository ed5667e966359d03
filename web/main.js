// The page: apps and panels on the left, one of them in the middle, a row on the right, the time line below.

import { h, draw } from "./dom.js";
import { t, switchLanguage } from "./words.js";
import { world, ask, openEpisode, openSaved, onChange, onNewCalls, load, ofEpisode } from "./data.js";
import { ui, choose, go, say, closeRow, setRedraw, title, moment, Switch } from "./ui.js";
import { App, Detail, unreadOf, tabsOf } from "./app.js";
import { Story } from "./story.js";
import { changeCount } from "./changes.js";
import { Home } from "./home.js";
import { stateName, listSnapshots, Compare } from "./compare.js";
import { judge, Bill } from "./bill.js";

const root = document.getElementById("page");
let isDue = false;
function redraw() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    draw(root, [h(Page)]);
  });
}
setRedraw(redraw);
onChange(redraw);

const PANELS = { home: Home, story: Story, compare: Compare, bill: Bill };

function Page() {
  if (world.isSignedOut) return h("main", { class: "start" }, h("h1", null, "mcp-farm"), h("p", null, t("signedOut")));
  if (!world.episode) return h("main", { class: "start" }, h("p", { class: "quiet" }, ui.problem ?? t("loading")));
  return h(
    "div",
    { class: "frame" },
    h("a", { class: "skip", href: "#main" }, t("skip")),
    h(Rail),
    h(
      "main",
      { id: "main", tabindex: "-1" },
      ui.panel === "app" ? [h("h1", { class: "name-bar" }, title(ui.app)), h(App, { app: ui.app })] : h(PANELS[ui.panel]),
    ),
    ui.open.detail ? h(Detail) : null,
    h(Timeline),
    ui.problem &&
      h(
        "p",
        { class: "problem", role: "alert" },
        ui.problem,
        " ",
        h(
          "button",
          {
            onclick: choose(() => {
              ui.problem = null;
            }),
            "aria-label": t("close"),
          },
          "×",
        ),
      ),
  );
}

function Rail() {
  return h(
    "nav",
    { class: "rail", "aria-label": t("apps") },
    h("div", { class: "brand" }, "mcp-farm", world.readOnly ? h("span", { class: "chip" }, t(world.saved ? "savedFile" : "readonly")) : null),
    Object.keys(PANELS).map((name) =>
      h(
        "button",
        { key: name, "aria-current": String(ui.panel === name), onclick: go(name) },
        h("span", { class: "name" }, t(name)),
        name === "story" && world.calls.length ? h("span", { class: "quiet" }, world.calls.length) : null,
      ),
    ),
    h("h2", null, t("apps")),
    Object.keys(world.views).map((app) => h(RailApp, { app, key: app })),
    h("button", { class: "quiet", lang: t("language") === "中文" ? "zh" : "en", onclick: choose(switchLanguage) }, t("language")),
  );
}

function RailApp({ app }) {
  const count = changeCount(app),
    unread = unreadOf(app);
  return h(
    "button",
    { key: app, "aria-current": String(ui.panel === "app" && ui.app === app), onclick: go("app", app) },
    h("span", { class: "name" }, title(app)),
    unread ? h("span", { class: "quiet", title: t("unread") }, unread) : null,
    count ? h("span", { class: "count", title: t("changed") }, count) : null,
  );
}

// -- the time line -----------------------------------------------------------------------------------------------

const setState = (at) =>
  choose(() => {
    world.at = at === null || at >= world.calls.length ? null : at;
  })();

function Timeline() {
  const last = world.calls.length,
    at = world.at ?? last;
  return h(
    "footer",
    { class: "timeline" },
    h("span", { class: "quiet clock", title: world.zone }, moment(Date.parse(world.clock.now))),
    h("input", {
      type: "range",
      min: "0",
      max: String(last),
      value: String(at),
      "aria-label": t("state"),
      "aria-valuetext": stateName(world.at, world.calls),
      oninput: (event) => setState(Number(event.target.value)),
    }),
    h("span", { class: "quiet clip" }, stateName(world.at, world.calls)),
    world.at === null ? h(Present) : h(Past, { at }),
  );
}

function Present() {
  if (world.saved) return null;
  return h(
    "span",
    { class: "tools" },
    h(Switch, {
      words: t("follow"),
      isOn: ui.follows,
      flip: () => {
        ui.follows = !ui.follows;
      },
    }),
    world.readOnly
      ? null
      : [
          h(
            "button",
            {
              onclick: () =>
                ask("POST", ofEpisode("/snapshots"), {}).then((told) => {
                  say(`${t("snapshot")}: ${told.snapshot}`);
                  listSnapshots();
                }, say),
            },
            t("snapshot"),
          ),
          h("button", { onclick: () => ask("POST", ofEpisode("/fork"), {}).then(show, say) }, t("fork")),
        ],
  );
}

function Past({ at }) {
  return h(
    "span",
    { class: "tools" },
    h("button", { onclick: () => setState(null) }, t("now")),
    world.readOnly
      ? null
      : [
          h("button", { onclick: () => ask("POST", ofEpisode("/rewind"), { calls: at, fork: true }).then(show, say) }, t("forkHere")),
          h("button", { class: "danger", onclick: () => undoTo(at) }, t("undo")),
        ],
  );
}

function undoTo(calls) {
  if (!confirm(t("sure"))) return;
  ask("POST", ofEpisode("/rewind"), { calls }).then((told) => {
    setState(null);
    listSnapshots();
    say(`${t("undone")} ${told.snapshot}`);
  }, say);
}

function show(told) {
  location.hash = `episode=${encodeURIComponent((told.episodes?.[0] ?? told).id)}`;
  location.reload();
}

// -- keys, and what comes while the page is open ---------------------------------------------------------------------

const ITEMS = "main .message, main .line, main .leaf, main .post, main .containers button, main .call";

addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, textarea, select")) return;
  if (event.key === "Escape" && ui.open.detail) closeRow();
  if (event.key === "j" || event.key === "k") {
    const items = [...document.querySelectorAll(ITEMS)],
      here = items.indexOf(document.activeElement);
    items[Math.min(Math.max(here + (event.key === "j" ? 1 : -1), 0), items.length - 1)]?.focus();
  }
});

/** Show where the agent has just changed something, if the reader wants to follow it. */
function follow(calls) {
  const call = calls.findLast((each) => Object.keys(each.changes).length);
  if (!ui.follows || !call || !world.views[call.app]) return;
  const tabs = tabsOf(call.app),
    [table] = tabs.find(([name]) => call.changes[name]) ?? [];
  if (ui.panel !== "app" || ui.app !== call.app) go("app", call.app)();
  if (!table) return;
  const row = call.changes[table].at(-1).new,
    model = world.views[call.app].tables[table];
  ui.tab = table;
  if (row && model.within) ui.open[`${call.app} ${table}`] = row[model.within];
}
onNewCalls(follow);

async function begin() {
  const saved = document.getElementById("saved"),
    given = new URLSearchParams(location.hash.slice(1));
  if (saved) openSaved(JSON.parse(saved.textContent));
  else await signIn(given);
  if (given.get("task")) judge(given.get("task"));
  if (world.views[given.get("app")]) go("app", given.get("app"))();
  else if (PANELS[given.get("panel")]) go(given.get("panel"))();
  if (saved) return;
  for (const [app, view] of Object.entries(world.views)) if (hasMarks(view)) await load(app).catch(say);
  setInterval(
    () =>
      ask("GET", ofEpisode("/clock")).then(
        (told) => {
          world.clock = told;
          redraw();
        },
        () => {},
      ),
    15000,
  );
}

async function signIn(given) {
  if (given.get("code")) {
    await ask("POST", "/v1/page/session", { code: given.get("code") }).catch(() => {});
    given.delete("code");
    history.replaceState(null, "", `#${given}`);
  }
  world.isSignedOut = false;
  world.readOnly = (await ask("GET", "/v1/page/session")).read_only;
  await openEpisode(given.get("episode") ?? "default");
}

const hasMarks = (view) =>
  Object.values(view.tables).some(
    (each) => each.unread || each.kind === "read_mark" || Object.values(each.columns).some((column) => typeof column.read_mark === "string"),
  );

begin().catch(say);
