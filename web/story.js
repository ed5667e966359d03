// The story of an episode: its calls, each in a sentence.

import { h } from "./dom.js";
import { t, locale } from "./words.js";
import { world, callsSoFar } from "./data.js";
import { Step, stateOfCall } from "./cards.js";
import { ui, choose, title, go, compareAround } from "./ui.js";

const SHOWN = 200,
  ANSWER_MAX = 20000;

/** Draw the calls: of an open episode the newest first, of a saved one in the order in which they were made. */
export function Story() {
  const calls = world.saved ? callsSoFar() : [...callsSoFar()].reverse(),
    shown = ui.shown.story ?? SHOWN;
  return h(
    "div",
    { class: "pad" },
    h("h1", null, t("story")),
    h("div", { role: "log", "aria-live": "polite" }, h(Lines, { calls: calls.slice(0, shown) })),
    calls.length > shown &&
      h(
        "button",
        {
          class: "more",
          onclick: choose(() => {
            ui.shown.story = shown + SHOWN;
          }),
        },
        t("more"),
      ),
  );
}

export function Lines({ calls }) {
  if (!calls.length) return h("p", { class: "quiet" }, t("noCalls"));
  return h(
    "ol",
    { class: "lines" },
    calls.map((call) => h(Line, { call, key: `${call.app} ${call.n}` })),
  );
}

function Line({ call }) {
  return h(
    Step,
    {
      key: `${call.app} ${call.n}`,
      number: world.calls.indexOf(call) + 1,
      app: title(call.app),
      sentence: call.sentence || call.tool,
      by: call.by,
      state: stateOfCall(call.refused, Object.keys(call.changes).length),
      title: timeOf(call),
      isOpen: ui.call === call,
      toggle: choose(() => {
        ui.call = ui.call === call ? null : call;
      }),
    },
    ui.call === call ? h(OpenedCall, { call }) : null,
  );
}

const timeOf = (call) => new Date(call.at_ms).toLocaleTimeString(locale());

function OpenedCall({ call }) {
  const number = world.calls.indexOf(call) + 1;
  return h(
    "div",
    null,
    h("p", { class: "quiet" }, `${call.tool} · ${timeOf(call)}`),
    h("h3", null, t("arguments")),
    h("pre", { tabindex: "0" }, JSON.stringify(call.arguments, null, 2)),
    h("h3", null, t("answer")),
    h("pre", { tabindex: "0" }, answerText(call)),
    h("button", { onclick: go("app", call.app) }, `${t("open")} ${title(call.app)}`),
    " ",
    h(
      "button",
      {
        onclick: choose(() => {
          world.at = number;
        }),
      },
      t("seeThen"),
    ),
    " ",
    h("button", { onclick: compareAround(call.app, number) }, t("beforeAfter")),
  );
}

function answerText(call) {
  if (!call.result) return `${call.result_bytes} bytes`;
  const text = (call.result.content ?? []).map((each) => each.text ?? `[${each.type}]`).join("\n");
  return text.slice(0, ANSWER_MAX) || JSON.stringify(call.result);
}
