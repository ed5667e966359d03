// What is chosen and open on the page, and the handlers that change it.

import { h } from "./dom.js";
import { locale } from "./words.js";
import { world, load } from "./data.js";
import { appName } from "./cards.js";

export const ui = { app: null, tab: null, open: {}, shown: {}, week: {}, filter: "", onlyChanges: false, panel: "home" };

let redraw = () => {};
/** Set the function that draws the page. */
export function setRedraw(call) {
  redraw = call;
}

/** Return a handler that changes what is shown. */
export const choose = (change) => () => {
  change();
  redraw();
};
/** Return a handler that calls a function on Enter. */
export const onEnter = (act) => (event) => {
  if (event.key === "Enter") {
    event.preventDefault();
    act();
  }
};
const afterDrawing = (act) => requestAnimationFrame(() => requestAnimationFrame(act));

/** Show an app, or another panel. */
export const go = (panel, app) =>
  choose(() => {
    Object.assign(ui, { panel, app: app ?? ui.app, filter: "" });
    ui.open.detail = null;
    if (app) {
      ui.tab = null;
      load(app).catch(say);
    }
  });

/** Show a problem, or what was done, in a corner until it is closed. */
export const say = (problem) =>
  choose(() => {
    ui.problem = String(problem.message ?? problem);
  })();

/** Show an app before and after one of its calls, side by side. */
export const compareAround = (app, number) =>
  choose(() => {
    Object.assign(ui, { sides: [{ at: number - 1 }, { at: number }], panel: "compare", app });
    load(app).catch(say);
  });

/** Return a handler that shows one row with all its columns, in the state that is drawn now. */
export function openRow(app, table, row) {
  const side = world.side;
  return choose(() => {
    ui.open.detail = { app, table, row, side };
    ui.opener = document.activeElement;
    afterDrawing(() => document.querySelector("[role=dialog] button")?.focus());
  });
}

/** Close the row that is shown; the keyboard is where it was. */
export const closeRow = choose(() => {
  ui.open.detail = null;
  const opener = ui.opener;
  afterDrawing(() => opener?.focus());
});

/** Draw a box that switches something on and off. */
export const Switch = ({ words, isOn, flip }) =>
  h("label", { class: "only" }, h("input", { type: "checkbox", checked: isOn, onchange: choose(flip) }), " ", words);

export const title = (app) => world.views[app]?.title ?? appName(app);

// -- times of the world's zone -----------------------------------------------------------------------------------------

export const day = (ms) => new Date(ms).toLocaleDateString(locale(), { timeZone: world.zone, weekday: "short", day: "numeric", month: "short" });
export const clockTime = (ms) => new Date(ms).toLocaleTimeString(locale(), { timeZone: world.zone, hour: "2-digit", minute: "2-digit" });
export const moment = (ms) => (ms === null ? "" : `${day(ms)} ${clockTime(ms)}`);
