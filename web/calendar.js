// A week's events.

import { h } from "./dom.js";
import { t, locale } from "./words.js";
import { world, rowsOf, nameOf, whenOf, markOf, keyText, changesSoFar, myAccount, isGone } from "./data.js";
import { ui, choose, openRow, Switch } from "./ui.js";
import { columnsOf, chosenRows, rowsOfOwner, Badge, edgeOf } from "./rows.js";

const HOUR = 3600000,
  DAY = 24 * HOUR;
// The hours that a day shows, and from how many on an event stands above the days.
const FIRST_HOUR = 7,
  HOURS = 15,
  LONG_HOURS = 14,
  LANES_MAX = 4;

export function Calendar({ app, table }) {
  const now = Date.parse(world.clock?.now ?? Date.now()),
    first = ui.week[app] ?? monday(whereChanged(app, table) ?? now),
    everyone = ui.open[`${app} everyone`] ?? false;
  const { events, long } = eventsOf(app, table, first, everyone);
  return h(
    "div",
    { class: "calendar" },
    h(WeekBar, { app, first, now, everyone }),
    long.length
      ? h(
          "div",
          { class: "long-events" },
          long.map((event) => h(LongEvent, { key: keyText(app, table, event.row), app, table, event, first })),
        )
      : null,
    h(
      "div",
      { class: "week" },
      h(Hours),
      [0, 1, 2, 3, 4, 5, 6].map((n) => h(Day, { key: String(first + n * DAY), app, table, at: first + n * DAY, events, now })),
    ),
  );
}

function WeekBar({ app, first, now, everyone }) {
  const week = (at) =>
    choose(() => {
      ui.week[app] = at;
    });
  return h(
    "div",
    { class: "bar" },
    h("button", { onclick: week(first - 7 * DAY), "aria-label": t("previous") }, "‹"),
    h("button", { onclick: week(monday(now)) }, t("today")),
    h("button", { onclick: week(first + 7 * DAY), "aria-label": t("next") }, "›"),
    h(Switch, {
      words: t("everyone"),
      isOn: everyone,
      flip: () => {
        ui.open[`${app} everyone`] = !everyone;
      },
    }),
    h("strong", null, new Date(first).toLocaleDateString(locale(), { timeZone: "UTC", month: "long", year: "numeric" })),
  );
}

function Hours() {
  return h(
    "div",
    { class: "hours", "aria-hidden": "true" },
    h("div", { class: "dayname" }),
    h(
      "div",
      { class: "hour-lines" },
      [8, 10, 12, 14, 16, 18, 20].map((hour) => h("span", { style: { top: percent(hour - FIRST_HOUR) } }, `${hour}:00`)),
    ),
  );
}

const percent = (hours) => `${(hours / HOURS) * 100}%`;
const dayName = (ms) => new Date(ms).toLocaleDateString(locale(), { timeZone: "UTC", weekday: "short", day: "numeric" });

function Day({ app, table, at, events, now }) {
  const isToday = at === Math.floor(wall(now) / DAY) * DAY;
  return h(
    "section",
    { class: `day-column${isToday ? " today" : ""}`, "aria-label": dayName(at) },
    h("div", { class: "dayname" }, dayName(at)),
    h(
      "div",
      { class: "slots" },
      inLanes(events.filter((each) => each.start < at + DAY && each.end > at)).map((event) =>
        h(Event, { key: keyText(app, table, event.row), app, table, event, at }),
      ),
    ),
  );
}

function Event({ app, table, event, at }) {
  const { row, start, end, lane, of } = event,
    mark = markOf(app, table, row),
    isStruck = mark?.op === "delete" || isGone(app, table, row);
  const from = Math.max(0, (start - at) / HOUR - FIRST_HOUR),
    to = Math.min(HOURS, (end - at) / HOUR - FIRST_HOUR);
  const place = {
    top: percent(from),
    height: `max(${percent(Math.max(to - from, 0.5))}, 1.4rem)`,
    left: `${(lane / of) * 100}%`,
    width: `calc(${100 / of}% - 2px)`,
  };
  return h(
    "button",
    { class: `event${edgeOf(mark)}${isStruck ? " struck" : ""}`, style: place, onclick: openRow(app, table, row) },
    h(Badge, { mark }),
    h("span", { class: "name" }, nameOf(app, table, row) || t("untitled")),
    h("time", null, new Date(start).toLocaleTimeString(locale(), { timeZone: "UTC", hour: "2-digit", minute: "2-digit" })),
  );
}

function LongEvent({ app, table, event, first }) {
  const { row, start, end } = event,
    mark = markOf(app, table, row);
  const columns = `${Math.max(Math.floor((start - first) / DAY), 0) + 2} / ${Math.min(Math.ceil((end - first) / DAY), 7) + 2}`;
  return h(
    "button",
    { class: `event${edgeOf(mark)}`, style: { "grid-column": columns }, onclick: openRow(app, table, row) },
    h(Badge, { mark }),
    h("span", { class: "name" }, nameOf(app, table, row)),
  );
}

// -- which events, and when ------------------------------------------------------------------------------------------------

/** Return the events of a week as {row, start, end} in the zone's wall time: those of hours, and those of days. */
function eventsOf(app, table, first, everyone) {
  const rows = chosenRows(app, table).filter((row) => everyone || isMine(app, table, row) || markOf(app, table, row));
  const all = rows.map((row) => timesOf(app, table, row)).filter((each) => each && each.end > first && each.start < first + 7 * DAY);
  const isLong = (each) => each.end - each.start > LONG_HOURS * HOUR;
  return { events: all.filter((each) => !isLong(each)), long: all.filter(isLong) };
}

function timesOf(app, table, row) {
  const start = whenOf(app, table, row),
    end = whenOf(app, table, row, "until");
  if (start === null) return daysOf(app, table, row);
  return { row, start: wall(start), end: end === null ? wall(start) + HOUR : wall(end) };
}

/** Return an event of whole days, from its first day to the end of its last, or null. */
function daysOf(app, table, row) {
  const dates = columnsOf(app, table)
    .filter(([name, column]) => column.time === "date" && row[name])
    .map(([name]) => Date.parse(`${row[name]}T00:00:00Z`));
  return dates.length ? { row, start: Math.min(...dates), end: Math.max(...dates) + DAY } : null;
}

/** Return whether the agent's person takes part in a row: by the row itself or by a part of it. */
function isMine(app, table, row) {
  const me = myAccount(app);
  if (me === undefined || Object.values(row).includes(me)) return true;
  const parts = Object.entries(world.views[app].tables).filter(([, other]) => other.kind === "part" && other.notifies);
  return parts.some(([name]) => rowsOf(app)[name] && rowsOfOwner(app, name, table, row).some((one) => Object.values(one).includes(me)));
}

/** Return when the latest change of a calendar is, in milliseconds, or undefined. */
function whereChanged(app, table) {
  const last = [...(changesSoFar()[app]?.[table]?.values() ?? [])].at(-1);
  return last ? (whenOf(app, table, last.row) ?? undefined) : undefined;
}

const wall = (ms) => Date.parse(`${new Date(ms).toLocaleString("sv-SE", { timeZone: world.zone }).replace(" ", "T")}Z`);

function monday(ms) {
  const at = Math.floor(wall(ms) / DAY) * DAY;
  return at - ((new Date(at).getUTCDay() + 6) % 7) * DAY;
}

/** Return events side by side where they overlap: each with its lane, and how many there are. */
function inLanes(events) {
  const ends = [];
  const placed = [...events]
    .sort((a, b) => a.start - b.start)
    .map((each) => {
      const free = ends.findIndex((end) => end <= each.start),
        lane = free < 0 ? ends.length : free;
      ends[lane] = Math.max(each.end, each.start + HOUR / 2);
      return { ...each, lane };
    });
  const of = Math.min(Math.max(ends.length, 1), LANES_MAX);
  return placed.map((each) => ({ ...each, lane: Math.min(each.lane, of - 1), of }));
}
