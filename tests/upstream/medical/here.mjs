// Loaded before the real server: what it asks of other machines goes to the stand-in, its browser is a page without one,
// and what it prints for people goes to stderr, as stdout is the protocol's.
import http from "node:http";
import https from "node:https";
import { register } from "node:module";

const standIn = new URL(process.env.STAND_IN);
https.request = (options, done) =>
  http.request(
    {
      method: options.method,
      headers: options.headers,
      host: standIn.hostname,
      port: standIn.port,
      path: `/${options.host ?? options.hostname}${options.path}`,
    },
    done,
  );
console.log = console.error;

// It waits for seconds before it opens a page, not to be noticed.
const wait = globalThis.setTimeout;
globalThis.setTimeout = (then, ms, ...rest) => wait(then, ms >= 1000 && ms <= 5000 ? 0 : ms, ...rest);

const browser = new URL("./browser.mjs", import.meta.url).href;
const hooks = `export const resolve = (name, context, next) =>
  name === "puppeteer" ? { url: ${JSON.stringify(browser)}, shortCircuit: true } : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
