// Two states side by side: of this episode after a call or at a snapshot, or of another episode.

import { h } from "./dom.js";
import { t } from "./words.js";
import { short } from "./cards.js";
import { world, ask, within, load, ofEpisode, otherEpisode, atSnapshot, differences } from "./data.js";
import { ui, choose, say, title } from "./ui.js";
import { changeCount } from "./changes.js";
import { App } from "./app.js";

const EPISODES_MAX = 200,
  LABEL_LENGTH = 24;

/** Draw an app twice, each side with what differs from the other one. */
export function Compare() {
  ui.sides ??= [{ at: 0 }, { at: null }];
  listOthers();
  const apps = Object.keys(world.views),
    changed = apps.filter(changeCount),
    app = apps.includes(ui.app) ? ui.app : (changed[0] ?? apps[0]);
  if (!world.loading[app]) load(app).catch(say);
  const [left, right] = ui.sides.map((side) => stateOf(side, app));
  if (left) left.name = t("left");
  if (right) right.name = t("right");
  return h(
    "div",
    { class: "compare" },
    h(
      "div",
      { class: "bar" },
      h("h1", null, t("compare")),
      h(AppChoice, { apps: [...changed, ...apps.filter((name) => !changed.includes(name))], app }),
    ),
    h(
      "div",
      { class: "pair" },
      h("section", { key: "left", "aria-label": t("left") }, h(SideBar, { side: 0 }), draw(left, right, app, false)),
      h("section", { key: "right", "aria-label": t("right") }, h(SideBar, { side: 1 }), draw(right, left, app, true)),
    ),
  );
}

function AppChoice({ apps, app }) {
  return h(
    "select",
    { "aria-label": t("apps"), value: app, onchange: (event) => takeApp(event.target.value) },
    apps.map((name) => h("option", { key: name, value: name, selected: name === app }, title(name))),
  );
}

function takeApp(app) {
  choose(() => {
    ui.app = app;
    ui.tab = null;
  })();
  load(app).catch(say);
  loadSides(app);
}

const draw = (state, other, app, isAfter) =>
  state ? within(state, () => h(Side, { app, other, isAfter })) : h("p", { class: "quiet pad" }, t("loading"));

function Side({ app, other, isAfter }) {
  if (!world.views[app]) return h("p", { class: "quiet pad" }, t("nothing"));
  const marks = other?.views[app] ? differences(app, other, isAfter) : null;
  return within({ ...world, marks }, () => h(App, { app }));
}

/** Return what `within` draws: the page's own state at a call or a snapshot, or another episode's; null while it loads. */
function stateOf({ episode, snapshot, at }, app) {
  if (snapshot) return atSnapshot(snapshot, app, say);
  if (!episode) return { ...world, at, marks: null };
  return ui.others?.[episode] ? { ...ui.others[episode], at } : null;
}

// -- the choice above a side ---------------------------------------------------------------------------------------------

function SideBar({ side }) {
  const chosen = ui.sides[side],
    calls = chosen.snapshot ? [] : ((chosen.episode ? ui.others?.[chosen.episode] : world)?.calls ?? []);
  return h(
    "div",
    { class: "bar" },
    h(StateChoice, { side, chosen }),
    chosen.snapshot ? null : h(CallSlider, { side, chosen, calls }),
    h("span", { class: "quiet clip" }, chosen.snapshot ? `${t("snapshot")} ${chosen.snapshot}` : stateName(chosen.at, calls)),
  );
}

function CallSlider({ side, chosen, calls }) {
  const take = (n) => {
    ui.sides[side] = { ...chosen, at: n >= calls.length ? null : n };
  };
  return h("input", {
    type: "range",
    min: "0",
    max: String(calls.length),
    value: String(chosen.at ?? calls.length),
    "aria-label": t("state"),
    oninput: (event) => choose(() => take(Number(event.target.value)))(),
  });
}

/** Draw the choice of this episode, its snapshots and the other episodes; nothing if there is only this one. */
function StateChoice({ side, chosen }) {
  const episodes = (ui.episodes ?? []).filter((each) => each.id !== world.episode.id),
    snapshots = ui.snapshots ?? [];
  if (!episodes.length && !snapshots.length) return null;
  const value = chosen.snapshot ? `snapshot ${chosen.snapshot}` : chosen.episode ? `episode ${chosen.episode}` : "";
  const option = (key, words) => h("option", { key, value: key, selected: key === value }, words);
  return h(
    "select",
    { "aria-label": t("state"), value, onchange: (event) => takeSide(side, event.target.value) },
    option("", t("thisEpisode")),
    snapshots.map((each) => option(`snapshot ${each.snapshot}`, `${t("snapshot")}: ${short(each.snapshot, LABEL_LENGTH)}`)),
    episodes.map((each) => option(`episode ${each.id}`, `${t("episode")}: ${short(each.label || each.id, LABEL_LENGTH)}`)),
  );
}

/** Return what a state after a call is called. */
export function stateName(at, calls) {
  if (at === 0) return t("start");
  return at === null ? t("now") : `${t("then")} ${at}: ${calls[at - 1]?.sentence || calls[at - 1]?.tool || ""}`;
}

function takeSide(side, value) {
  const [kind, ...rest] = value.split(" "),
    name = rest.join(" ");
  choose(() => {
    ui.sides[side] = kind === "snapshot" ? { snapshot: name, at: null } : kind === "episode" ? { episode: name, at: null } : { at: null };
  })();
  if (kind !== "episode" || ui.others?.[name]) return;
  otherEpisode(name).then((state) => {
    (ui.others ??= {})[name] = state;
    loadSides(ui.app ?? Object.keys(world.views)[0]);
  }, say);
}

function loadSides(app) {
  for (const { episode } of ui.sides) {
    const other = episode && ui.others?.[episode];
    if (other?.views[app])
      load(app, other).then(
        choose(() => {}),
        say,
      );
  }
}

function listOthers() {
  if (ui.episodes || world.saved) return;
  ui.episodes = [];
  ask("GET", "/v1/episodes").then(
    (told) =>
      choose(() => {
        ui.episodes = told.episodes.slice(-EPISODES_MAX);
      })(),
    say,
  );
  listSnapshots();
}

/** Read the names of this episode's snapshots anew. */
export function listSnapshots() {
  ask("GET", ofEpisode("/snapshots")).then(
    (told) =>
      choose(() => {
        ui.snapshots = told.snapshots;
      })(),
    say,
  );
}
