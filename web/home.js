// Home: who the agent is, what is unread and changed in each app, and the last calls.

import { h } from "./dom.js";
import { t } from "./words.js";
import { world, callsSoFar } from "./data.js";
import { changeCount } from "./changes.js";
import { go, moment, title } from "./ui.js";
import { unreadOf } from "./app.js";
import { Lines } from "./story.js";

const CALLS_SHOWN = 8;

export function Home() {
  const me = world.me,
    clock = `${moment(Date.parse(world.clock.now))}${world.clock.live ? ` (${t("live")})` : ""}`;
  return h(
    "div",
    { class: "home pad" },
    h("p", { class: "quiet" }, t("you")),
    h("h1", null, me ? [me.name_en, me.name_zh].filter(Boolean).join(" ") : t("nobody")),
    h("p", { class: "quiet" }, [me?.organisation, world.episode.world].filter(Boolean).join(" · ")),
    h("p", { class: "clock" }, `${t("clock")}: ${clock}, ${world.zone}`),
    h(
      "div",
      { class: "tiles" },
      Object.keys(world.views).map((app) => h(Tile, { app, key: app })),
    ),
    h("h2", null, t("story")),
    h(Lines, { calls: callsSoFar().slice(-CALLS_SHOWN).reverse() }),
  );
}

function Tile({ app }) {
  const count = changeCount(app),
    unread = unreadOf(app),
    calls = callsSoFar().filter((call) => call.app === app).length;
  const facts = [unread ? `${unread} ${t("unread")}` : "", calls ? `${calls} ${t("calls")}` : "", count ? `${count} ${t("changed")}` : ""];
  return h(
    "button",
    { class: `tile${count ? " has-change" : ""}`, onclick: go("app", app) },
    h("strong", null, title(app)),
    h("span", { class: "quiet" }, facts.filter(Boolean).join(" · ") || "·"),
  );
}
