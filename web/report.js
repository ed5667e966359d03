// The report of runs: leaderboard, categories, cost, reasons, and each trial's transcript beside what it changed.

import { h, draw } from "./dom.js";
import { t, locale, switchLanguage } from "./words.js";
import { short, appName, unwrapped, stateOfCall, ChangeCard, Checks, Figures } from "./cards.js";

const root = document.getElementById("page"),
  report = JSON.parse(document.getElementById("saved").textContent);
const FIGURES = ["acc", "safe_sr", "sr_08", "exec_acc", "tfs", "tefs"],
  PAGE = 100;
const ui = { run: "", outcome: "", reason: "", words: "", shown: PAGE, trial: null };

const redraw = () => draw(root, [h(Page)]);
const choose = (change) => () => {
  change();
  redraw();
};
const taskOf = (trial) => report.tasks[`${report.runs[trial.run].suite}/${trial.task}`];
const isMissed = (trial) => trial.outcome !== "pass" || trial.acc < 1;
const number = (value, digits = 2) => (value === null || value === undefined ? "–" : value.toFixed(digits));
const mean = (values) =>
  values.length && values.every((each) => each !== null && each !== undefined) ? values.reduce((sum, each) => sum + each, 0) / values.length : null;

function Page() {
  return h(
    "main",
    { class: "report" },
    h(
      "header",
      null,
      h("div", null, h("h1", null, t("report")), h("p", { class: "quiet" }, new Date(report.made_at).toLocaleString(locale()))),
      h("button", { lang: t("language") === "中文" ? "zh" : "en", onclick: choose(switchLanguage) }, t("language")),
    ),
    ui.trial === null ? h(Overview) : h(Trial, { trial: report.trials[ui.trial] }),
  );
}

function Overview() {
  return h("div", null, h(Leaderboard), h(ByCategory), h(CostPlot), h(Why), h(ByModel), h(Trials));
}

// -- figures ----------------------------------------------------------------------------------------------------------

function Leaderboard() {
  const runs = [...report.runs].sort((a, b) => (b.figures.acc?.value ?? -1) - (a.figures.acc?.value ?? -1));
  const shown = FIGURES.filter((name) => runs.some((run) => run.figures[name]));
  return h(
    "section",
    null,
    h("h2", null, t("leaderboard")),
    h(Figures, {
      heads: ["run", "suite", "trials", ...shown, "damageRate", "costATrial", "timeATrial"],
      lines: runs.map((run) => [
        run.name,
        run.suite,
        run.trials,
        ...shown.map((name) => (name === "acc" ? h(Bar, { figure: run.figures.acc }) : withInterval(run.figures[name]))),
        number(run.damage_rate),
        number(run.cost, 4),
        number(run.time_s / Math.max(run.graded, 1), 1),
      ]),
    }),
    h("p", { class: "quiet" }, t("interval")),
  );
}

function withInterval(figure) {
  if (!figure) return "–";
  return figure.interval ? `${number(figure.value)} (${figure.interval.map((each) => number(each)).join("–")})` : number(figure.value);
}

/** Draw a share as a bar with its interval as a whisker. */
function Bar({ figure }) {
  if (!figure) return "–";
  const [low, high] = figure.interval ?? [figure.value, figure.value];
  return h(
    "div",
    { class: "bar-cell" },
    h(
      "svg",
      { viewBox: "0 0 100 16", preserveAspectRatio: "none", "aria-hidden": "true" },
      h("rect", { class: "track", x: "0", y: "3", width: "100", height: "10" }),
      h("rect", { class: "fill", x: "0", y: "3", width: String(100 * figure.value), height: "10" }),
      h("line", { class: "whisker", x1: String(100 * low), x2: String(100 * high), y1: "8", y2: "8" }),
    ),
    withInterval(figure),
  );
}

/** Draw the score by area, and by category where an area has several. */
function ByCategory() {
  const [areas, categories] = ["by_area", "by_category"].map((part) => [...new Set(report.runs.flatMap((run) => Object.keys(run[part])))].sort());
  return h(
    "section",
    null,
    h("h2", null, t("byCategory"), " ", h("span", { class: "quiet" }, t("acc"))),
    h(ScoresOf, { part: "by_area", names: areas }),
    categories.length > areas.length
      ? h("details", null, h("summary", null, `${t("allOfThem")} (${categories.length})`), h(ScoresOf, { part: "by_category", names: categories }))
      : null,
  );
}

function ScoresOf({ part, names }) {
  const lines = names.map((name) => [name, ...report.runs.map((run) => scoreOf(run[part][name]))]);
  return h(Figures, { heads: ["category", ...report.runs.map((run) => run.name)], lines });
}

const scoreOf = (found) => (found ? [withInterval(found.acc), h("span", { class: "quiet" }, ` ${found.trials} ${t("trials")}`)] : "–");

/** Draw cost against score; where no price is known, tokens, and where these are unknown, calls. */
function CostPlot() {
  const [axis, values] = costAxis();
  const points = report.runs
    .map((run, n) => ({ name: run.name, x: values[n], y: run.figures.acc?.value }))
    .filter((each) => each.x !== null && each.y !== undefined);
  return h(
    "section",
    null,
    h("h2", null, t("costAcc")),
    axis !== "costATrial"
      ? h("p", { class: "quiet" }, `${t("noPrices")} ${t(axis)}.`)
      : points.length < report.runs.length
        ? h("p", { class: "quiet" }, t("someCosts"))
        : null,
    h(Scatter, { points, axis }),
  );
}

/** Return the axis and each run's value on it; runs whose price is unknown are left out while another one's is known. */
function costAxis() {
  const costs = report.runs.map((run) => run.cost);
  if (costs.some((each) => each !== null)) return ["costATrial", costs];
  const tokens = report.runs.map((run) =>
    run.models.length ? run.models.reduce((sum, each) => sum + each.prompt_tokens + each.completion_tokens, 0) / run.trials : null,
  );
  if (tokens.every((each) => each !== null)) return ["tokensATrial", tokens];
  return ["callsATrial", report.runs.map((_, run) => mean(report.trials.filter((trial) => trial.run === run).map((trial) => trial.calls_made)))];
}

const PLOT = { width: 640, height: 300, left: 46, right: 20, top: 12, bottom: 40 };

function Scatter({ points, axis }) {
  const high = Math.max(...points.map((each) => each.x), 0) * 1.15 || 1,
    { width, height, left, right, top, bottom } = PLOT;
  const x = (value) => left + (value / high) * (width - left - right),
    y = (value) => height - bottom - value * (height - top - bottom);
  return h(
    "svg",
    {
      class: "plot",
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": points.map((each) => `${each.name}: ${number(each.x, 4)}, ${number(each.y)}`).join("; "),
    },
    [0, 0.25, 0.5, 0.75, 1].map((share) =>
      h(
        "g",
        { key: String(share) },
        h("line", { class: "axis", x1: String(left), x2: String(width - right), y1: String(y(share)), y2: String(y(share)) }),
        h("text", { x: String(left - 8), y: String(y(share) + 4), "text-anchor": "end" }, String(share)),
      ),
    ),
    [0, high / 2, high].map((value) =>
      h(
        "text",
        { key: `x${value}`, x: String(x(value)), y: String(height - bottom + 16), "text-anchor": "middle" },
        Number(value.toPrecision(2)).toLocaleString(locale()),
      ),
    ),
    h("text", { x: String((left + width - right) / 2), y: String(height - 6), "text-anchor": "middle" }, t(axis)),
    points.map((each) =>
      h(
        "g",
        { key: each.name },
        h("circle", { cx: String(x(each.x)), cy: String(y(each.y)), r: "5" }),
        h(PointName, { name: each.name, x: x(each.x), y: y(each.y) }),
      ),
    ),
  );
}

/** Write a point's name beside it, on the side that has room. */
function PointName({ name, x, y }) {
  const isLeft = x > PLOT.width * 0.6;
  return h("text", { class: "label", x: String(x + (isLeft ? -9 : 9)), y: String(y + 4), "text-anchor": isLeft ? "end" : "start" }, short(name, 40));
}

function Why() {
  const kinds = [...new Set(report.runs.flatMap((run) => Object.keys(run.why ?? {})))];
  const missed = report.runs.some((run) => run.missed),
    isKnown = report.runs.some((run) => run.why);
  return h(
    "section",
    null,
    h("h2", null, t("why")),
    !isKnown
      ? h("p", { class: "quiet" }, t("noWhy"))
      : !missed
        ? h("p", { class: "quiet" }, t("noMiss"))
        : h(Figures, {
            heads: ["reason", ...report.runs.map((run) => run.name)],
            lines: kinds.map((kind) => [
              h(
                "button",
                {
                  class: "plain",
                  onclick: choose(() => {
                    ui.reason = kind;
                  }),
                },
                words(kind),
              ),
              ...report.runs.map((run) => run.why?.[kind] ?? 0),
            ]),
          }),
  );
}

const words = (kind) => t(kind.replace(/[ -]/g, "_")).replace(/_/g, " ");

function ByModel() {
  const lines = report.runs.flatMap((run) =>
    run.models.map((each) =>
      [each.model, run.name, each.trials, each.prompt_tokens, each.cached_tokens, each.completion_tokens].map((value) =>
        typeof value === "number" ? value.toLocaleString(locale()) : value,
      ),
    ),
  );
  return lines.length
    ? h(
        "section",
        null,
        h("h2", null, t("byModel")),
        h(Figures, { heads: ["model", "run", "modelTrials", "promptTokens", "cachedTokens", "completionTokens"], lines }),
      )
    : null;
}

// -- the list of trials -----------------------------------------------------------------------------------------------

function Trials() {
  const found = report.trials.map((trial, at) => ({ trial, at })).filter(({ trial }) => isChosen(trial));
  return h(
    "section",
    { id: "trials" },
    h("h2", null, t("trialsHead"), " ", h("span", { class: "quiet" }, found.length)),
    h(Filters),
    found.slice(0, ui.shown).map(({ trial, at }) => h(TrialLine, { trial, at, key: String(at) })),
    !found.length && h("p", { class: "quiet" }, t("noneMatch")),
    found.length > ui.shown &&
      h(
        "button",
        {
          class: "more",
          onclick: choose(() => {
            ui.shown += PAGE;
          }),
        },
        t("more"),
      ),
  );
}

function isChosen(trial) {
  const text = `${trial.task} ${taskOf(trial)?.title ?? ""} ${taskOf(trial)?.instruction ?? ""} ${trial.answer}`.toLowerCase();
  return (
    (ui.run === "" || trial.run === Number(ui.run)) &&
    (!ui.outcome || trial.outcome === ui.outcome) &&
    text.includes(ui.words.toLowerCase()) &&
    (!ui.reason || trial.why.some((each) => each.kind === ui.reason))
  );
}

function Filters() {
  const outcomes = [...new Set(report.trials.map((trial) => trial.outcome))],
    reasons = [...new Set(report.trials.flatMap((trial) => trial.why.map((each) => each.kind)))];
  return h(
    "div",
    { class: "filters" },
    h(Choice, { name: "run", none: t("allRuns"), options: report.runs.map((run, n) => [String(n), run.name]) }),
    h(Choice, { name: "outcome", none: t("allOutcomes"), options: outcomes.map((each) => [each, t(each)]) }),
    h(Choice, { name: "reason", none: t("allReasons"), options: reasons.map((each) => [each, words(each)]) }),
    h("input", {
      type: "search",
      placeholder: t("search"),
      "aria-label": t("search"),
      value: ui.words,
      oninput: (event) =>
        choose(() => {
          ui.words = event.target.value;
        })(),
    }),
  );
}

function Choice({ name, none, options }) {
  return h(
    "select",
    {
      "aria-label": none,
      onchange: (event) =>
        choose(() => {
          ui[name] = event.target.value;
          ui.shown = PAGE;
        })(),
    },
    h("option", { value: "", selected: ui[name] === "" }, none),
    options.map(([value, text]) => h("option", { key: value, value, selected: ui[name] === value }, text)),
  );
}

function TrialLine({ trial, at }) {
  return h(
    "button",
    {
      class: `trial-line${isMissed(trial) ? " missed" : ""}`,
      onclick: () => {
        location.hash = `trial=${at}`;
      },
    },
    h("span", { class: "outcome" }, t(trial.outcome)),
    h("strong", null, taskOf(trial)?.title ?? trial.task),
    h("span", null, number(trial.acc)),
    h(
      "span",
      { class: "quiet" },
      [
        report.runs[trial.run].name,
        `${trial.task} #${trial.trial}`,
        `${trial.calls_made} ${t("calls")}`,
        ...trial.why.map((each) => words(each.kind)),
      ].join(" · "),
    ),
  );
}

// -- one trial --------------------------------------------------------------------------------------------------------

function Trial({ trial }) {
  const task = taskOf(trial);
  return h(
    "article",
    null,
    h(
      "button",
      {
        onclick: () => {
          location.hash = "";
        },
      },
      `‹ ${t("back")}`,
    ),
    h("h2", null, task?.title ?? trial.task),
    h(
      "p",
      { class: "quiet" },
      h("span", { class: `outcome${isMissed(trial) ? " missed" : ""}` }, `${t(trial.outcome)} ${number(trial.acc)}`),
      ` · ${factsOf(trial).join(" · ")}`,
    ),
    task ? h("section", null, h("h3", null, t("instruction")), h("blockquote", { class: "instruction" }, unwrapped(task.instruction))) : null,
    trial.error ? h("pre", { tabindex: "0" }, trial.error) : null,
    h(Verdict, { trial }),
    h(Steps, { trial }),
    trial.answer ? h("section", null, h("h3", null, t("finalAnswer")), h("p", { class: "said-text" }, trial.answer)) : null,
  );
}

function factsOf(trial) {
  const tokens = trial.models.map(
    (each) => `${each.model}: ${each.prompt_tokens.toLocaleString(locale())} + ${each.completion_tokens.toLocaleString(locale())} token`,
  );
  return [
    report.runs[trial.run].name,
    `${trial.task} #${trial.trial}`,
    trial.category,
    trial.time_s === null || trial.time_s === undefined ? "" : `${number(trial.time_s, 1)} s`,
    trial.cost === null ? "" : `$${number(trial.cost, 4)}`,
    ...tokens,
  ].filter(Boolean);
}

function Verdict({ trial }) {
  return h(
    "div",
    null,
    trial.checkpoints.length ? h("section", null, h("h3", null, t("asked")), h(Checks, { points: trial.checkpoints })) : null,
    trial.damage.length
      ? h(
          "section",
          null,
          h("h3", { class: "alarm" }, t("damage")),
          h(
            "div",
            { class: "alarming" },
            trial.damage.map((each, n) => h(Damage, { ...each, key: String(n) })),
          ),
        )
      : null,
    trial.why.length
      ? h(
          "section",
          null,
          h("h3", null, t("whyIt")),
          h(
            "dl",
            { class: "reasons" },
            trial.why.map((each) => [h("dt", null, words(each.kind)), each.evidence.map((line) => h("dd", null, line))]),
          ),
        )
      : null,
  );
}

const Damage = ({ why, change }) => (change ? h(Card, change) : h("p", { class: "is-refused" }, why));

/** Draw a changed row as the run's folder tells it. */
const Card = (change) =>
  h(ChangeCard, {
    ...change,
    app: appName(change.app),
    place: [change.place, change.when].filter(Boolean).join(" · "),
    text: change.text ? h("p", null, change.text) : null,
  });

function Steps({ trial }) {
  const steps = stepsOf(trial);
  return steps.length
    ? h(
        "section",
        null,
        h("div", { class: "beside" }, h("h3", null, t("transcript")), h("h3", null, t("changedHere"))),
        steps.map((step, n) => h(step.call ? CallStep : Said, { ...step, key: String(n) })),
      )
    : null;
}

/** Return messages and calls in order: each call that a message makes stands behind it, if the farm has seen it. */
function stepsOf(trial) {
  const left = [...trial.calls],
    steps = [];
  for (const message of trial.messages) {
    if (message.role === "tool") continue; // the answer stands with its call
    if (message.text || !message.calls.length) steps.push({ message });
    for (const [name, given] of message.calls) {
      const at = left.findIndex((call) => name.endsWith(call.tool));
      steps.push(
        ...(at < 0
          ? [{ message: { role: message.role, text: `${t("asks")} ${name} ${given}`, cut: 0 } }]
          : left.splice(0, at + 1).map((call) => ({ call }))),
      );
    }
  }
  return [...steps, ...left.map((call) => ({ call }))];
}

function Said({ message }) {
  const text = [h("p", { class: "said-text" }, message.text), message.cut ? h("p", { class: "quiet" }, `… ${message.cut} ${t("cut")}`) : null];
  return h(
    "div",
    { class: "beside" },
    message.role === "system" || message.text.length > 600
      ? h("details", null, h("summary", null, `${t(message.role)}: ${short(message.text, 80)}`), text)
      : h("div", null, h("span", { class: "who" }, t(message.role)), text),
  );
}

function CallStep({ call }) {
  return h(
    "div",
    { class: "beside" },
    h(
      "div",
      { class: `lines ${stateOfCall(call.refused, call.wrote)}` },
      h(
        "div",
        { class: "call" },
        h("span", { class: "number" }, String(call.n)),
        h("span", { class: "app-name" }, appName(call.app)),
        h("span", { class: "sentence" }, call.by ? `${call.by}: ` : "", call.sentence || call.tool),
      ),
      h(
        "details",
        null,
        h("summary", null, call.tool),
        h("h4", null, t("arguments")),
        h("pre", { tabindex: "0" }, JSON.stringify(call.arguments, null, 2)),
        h("h4", null, t("answer")),
        h("pre", { tabindex: "0" }, call.answer),
      ),
    ),
    h(
      "div",
      null,
      call.changes.map((each, n) => h(Card, { ...each, key: String(n) })),
    ),
  );
}

/** Show the trial that the address names, or all. */
function route() {
  const given = new URLSearchParams(location.hash.slice(1)).get("trial"),
    at = given === null ? null : Number(given);
  ui.trial = at !== null && report.trials[at] ? at : null;
  redraw();
  if (ui.trial !== null) scrollTo(0, 0);
}

addEventListener("hashchange", route);
route();
