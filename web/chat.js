// Messages of one room, with threads.

import { h } from "./dom.js";
import { t } from "./words.js";
import { whenOf, keyText } from "./data.js";
import { ui, choose, day } from "./ui.js";
import { modelOf, groupBy, containersOf, Containers, Message } from "./rows.js";

const SHOWN = 60,
  MORE = 100;

export function Chat({ app, table }) {
  const { items, groups, open } = containersOf(app, table),
    name = `${app} ${table} ${open}`,
    shown = ui.shown[name] ?? SHOWN;
  const { top, answers } = threadsOf(app, table, groups.get(open) ?? []);
  return h(
    "div",
    { class: "columns two" },
    h(Containers, { app, table, items, open }),
    h(
      "section",
      { key: name, atEnd: true, class: "rows chat", "aria-label": items.find((each) => each.id === open)?.name ?? "", tabindex: "0" },
      top.length > shown &&
        h(
          "button",
          {
            class: "more",
            onclick: choose(() => {
              ui.shown[name] = shown + MORE;
            }),
          },
          `${t("earlier")} (${top.length - shown})`,
        ),
      withDays(app, table, top.slice(-shown)).map(({ row, today }) =>
        h(Thread, { key: keyText(app, table, row), app, table, row, today, answers: answers.get(row[modelOf(app, table).key.at(-1)]) ?? [] }),
      ),
      !top.length && h("p", { class: "quiet" }, t("nothing")),
    ),
  );
}

function Thread({ app, table, row, today, answers }) {
  return h(
    "div",
    null,
    today && h("h2", { class: "day" }, today),
    h(Message, { app, table, row }),
    answers.length
      ? h(
          "div",
          { class: "answers" },
          answers.map((one) => h(Message, { app, table, row: one, key: keyText(app, table, one) })),
        )
      : null,
  );
}

/** Return messages by time: those that begin a thread or stand alone, and the answers by the first message's id. */
function threadsOf(app, table, rows) {
  const { thread, key } = modelOf(app, table),
    id = key.at(-1),
    all = [...rows].sort((a, b) => (whenOf(app, table, a) ?? 0) - (whenOf(app, table, b) ?? 0));
  const known = new Set(all.map((row) => row[id]));
  const isTop = (row) => !thread || !row[thread] || row[thread] === row[id] || !known.has(row[thread]);
  return {
    top: all.filter(isTop),
    answers: groupBy(
      all.filter((row) => !isTop(row)),
      thread,
    ),
  };
}

/** Return rows by time, each with its day if that is another one than the row's before. */
function withDays(app, table, rows) {
  let before = "";
  return rows.map((row) => {
    const at = whenOf(app, table, row),
      here = at === null ? "" : day(at),
      today = here === before ? "" : here;
    before = here;
    return { row, today };
  });
}
