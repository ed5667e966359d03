// Texts of a world as people see them: a list of nodes, with marks for bold, links and mentions, and never HTML.

import { h } from "./dom.js";
import { world, plainText, rowsOf, nameOf } from "./data.js";

const INLINE =
  /(https?:\/\/[^\s<>|)\]]+)|<([@#!])([A-Za-z0-9]+)(?:\|([^>]*))?>|<(https?:[^|>]+)(?:\|([^>]*))?>|`([^`\n]+)`|\*\*([^*\n]+)\*\*|\[([^\]\n]+)\]\((https?:[^)\s]+)\)|(?<![\w*])\*([^*\n]+)\*(?![\w*])|(?<![\w_])_([^_\n]+)_(?![\w_])|~~?([^~\n]+)~~?/g;

function inline(text, app) {
  const out = [];
  let last = 0;
  for (const m of text.matchAll(INLINE)) {
    if (m.index > last) out.push(text.slice(last, m.index));
    last = m.index + m[0].length;
    if (m[1]) out.push(link(m[1], m[1]));
    else if (m[2]) out.push(h("span", { class: "mention" }, (m[2] === "#" ? "#" : "@") + (m[4] || called(app, m[3]) || m[3])));
    else if (m[5]) out.push(link(m[5], m[6] || m[5]));
    else if (m[7]) out.push(h("code", null, m[7]));
    else if (m[8]) out.push(h("strong", null, m[8]));
    else if (m[9]) out.push(link(m[10], m[9]));
    else if (m[11]) out.push(h("strong", null, m[11]));
    else if (m[12]) out.push(h("em", null, m[12]));
    else if (m[13]) out.push(h("s", null, m[13]));
  }
  if (last < text.length) out.push(text.slice(last));
  return out;
}

const link = (href, words) => h("a", { href, target: "_blank", rel: "noopener noreferrer nofollow" }, words);

function called(app, id) {
  for (const [table, model] of Object.entries(world.views[app]?.tables ?? {})) {
    if (model.key.length !== 1) continue;
    const row = rowsOf(app)?.[table]?.get(JSON.stringify([id]));
    if (row) return nameOf(app, table, row);
  }
  return null;
}

const ENTITIES = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };
const unescaped = (node) =>
  typeof node === "string" ? node.replace(/&(?:lt|gt|amp);/g, (each) => ENTITIES[each]) : { ...node, children: node.children.map(unescaped) };

/** Return a text in one of the farm's formats as nodes. */
export function rich(value, format, app) {
  const text = plainText(value, format);
  const nodes = [];
  let quote = null;
  for (const block of text.split(/```/).map((part, n) => [part, n % 2])) {
    if (block[1]) {
      nodes.push(h("pre", null, block[0].replace(/^\w*\n/, "")));
      continue;
    }
    for (const line of block[0].split("\n")) {
      const head = /^(#{1,6})\s+(.*)/.exec(line),
        item = /^\s*(?:[-*•]|\d+[.)])\s+(.*)/.exec(line);
      if (/^(>|&gt;)/.test(line)) {
        if (!quote) nodes.push((quote = h("blockquote", null)));
        quote.children.push(h("p", null, inline(line.replace(/^(>|&gt;)\s?/, ""), app)));
        continue;
      }
      quote = null;
      if (head) nodes.push(h("p", { class: "heading" }, inline(head[2], app)));
      else if (item) nodes.push(h("p", { class: "item" }, inline(item[1], app)));
      else if (line.trim()) nodes.push(h("p", null, inline(line, app)));
    }
  }
  return format?.startsWith("slack") ? nodes.map(unescaped) : nodes;
}
