// What calls changed, as people see it: one thing for a row with its parts, and nothing for what only keeps books.

import { world, changesSoFar, plainText, isOwnAccount, isGone } from "./data.js";
import { modelOf } from "./rows.js";

let lastSeen = {};
/** Return the changed rows that people see, each with the rows that were added as its parts. */
export function changedRows() {
  const marks = changesSoFar();
  if (lastSeen.marks !== marks || lastSeen.version !== world.version) lastSeen = { marks, version: world.version, rows: seenOf(marks) };
  return lastSeen.rows;
}

/** Return how many things of an app have changed. */
export const changeCount = (app) => changedRows().filter((each) => each.app === app).length;

function seenOf(marks) {
  const all = [],
    byCall = new Map();
  for (const [app, tables] of Object.entries(marks))
    for (const [table, rows] of Object.entries(tables)) {
      if (modelOf(app, table).kind !== "read_mark")
        for (const mark of rows.values()) all.push({ app, table, mark, op: opOf(app, table, mark), parts: [] });
    }
  for (const each of all) byCall.set(each.mark.call, [...(byCall.get(each.mark.call) ?? []), each]);
  return all.filter((each) => {
    const ofCall = byCall.get(each.mark.call);
    return !isPartOfAnother(each, ofCall) && !isSilent(each, ofCall) && !isCopyOfAnother(each, ofCall);
  });
}

/** Return whether a row is what others got of a row that the agent's person holds, such as a mail in another mailbox. */
function isCopyOfAnother(each, ofCall) {
  return isHeldBy(each, false) && ofCall.some((other) => other.app === each.app && other.table === each.table && isHeldBy(other, true));
}

function isHeldBy({ app, table, mark }, isOwn) {
  const { within, columns } = modelOf(app, table),
    to = columns[within]?.target?.[0];
  return Boolean(to) && modelOf(app, to).kind === "people" && isOwnAccount(app, mark.row[within]) === isOwn;
}

/** Return whether a change says nothing beside others of its call: a service message, or a row that was only touched. */
function isSilent({ app, table, mark, op }, ofCall) {
  const model = modelOf(app, table);
  const saysNothing =
    op === "update" ? !editedColumns(app, table, mark).length : op === "insert" && model.kind === "chat" && !plainText(mark.row[model.body]);
  return saysNothing && ofCall.length > 1;
}

/** Return what happened to a row: one that is kept but counts as deleted was deleted. */
function opOf(app, table, mark) {
  const wasGone = mark.op !== "insert" && mark.old && isGone(app, table, mark.old);
  return isGone(app, table, mark.row) && !wasGone ? "delete" : mark.op;
}

function isPartOfAnother(each, ofCall) {
  const owner = ofCall.find((other) => other !== each && owns(other, each));
  owner?.parts.push(each);
  return Boolean(owner);
}

/** Return whether a row was added, or changed, by the same call as another one, of which it is a part. */
function owns(owner, each) {
  const model = modelOf(each.app, each.table);
  if (!["part", "cells"].includes(model.kind) || owner.app !== each.app || owner.mark.op !== each.mark.op || each.mark.op === "delete") return false;
  return Object.entries(model.columns).some(
    ([name, column]) => column.target?.[0] === owner.table && owner.mark.row[column.target[1]] === each.mark.row[name],
  );
}

/** Return the columns of a row that a call changed and that people see. */
export function editedColumns(app, table, mark) {
  const columns = Object.entries(modelOf(app, table).columns).filter(([name, column]) => !column.hidden && !isBookkeeping(name));
  return mark.old ? columns.map(([name]) => name).filter((name) => JSON.stringify(mark.old[name]) !== JSON.stringify(mark.row[name])) : [];
}

const isBookkeeping = (name) => /^(updated|modified|edited|changed)(_at|_ms|_by|_ts)?$|revision|^position$|^version$/.test(name);
