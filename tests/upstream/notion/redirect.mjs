// The server knows one address. What it asks of that goes to the stand-in; nothing else leaves the machine.
import http from "node:http";
import https from "node:https";

const API = "https://api.notion.com";
const real = globalThis.fetch;
globalThis.fetch = (asked, ...rest) => {
  const url = String(asked);
  if (!url.startsWith(`${API}/`)) throw new TypeError(`no such address here: ${url}`);
  return real(process.env.STAND_IN + url.slice(API.length), ...rest);
};
// Version 1 asks through a package that has no use for the global one.
https.request = (asked, ...rest) => {
  if (asked.hostname !== "api.notion.com") throw new TypeError(`no such address here: ${asked.hostname}`);
  const { hostname, port } = new URL(process.env.STAND_IN);
  const there = { ...asked, protocol: "http:", host: hostname, hostname, port, agent: undefined, href: undefined };
  return http.request(there, ...rest);
};
