// Puppeteer, as far as the real server uses it: a page of the stand-in, in which functions run as in a browser's, knowing
// nothing of the server.
import { createRequire } from "node:module";
import { join } from "node:path";

const { JSDOM } = createRequire(join(process.env.WITH_JSDOM, "package.json"))("jsdom");

class Page {
  async evaluateOnNewDocument() {}
  async setViewport() {}
  async setUserAgent() {}
  async setExtraHTTPHeaders() {}

  async goto(url) {
    const { host, pathname, search } = new URL(url);
    const answer = await fetch(`${process.env.STAND_IN}/${host}${pathname}${search}`);
    this.dom = new JSDOM(await answer.text(), { url, runScripts: "outside-only" });
    // What the page says of a failure is heard by nobody.
    this.dom.window.console.error = () => {};
  }

  async waitForSelector(selector) {
    if (!this.dom.window.document.querySelector(selector)) throw new Error(`no ${selector}`);
  }

  async evaluate(run) {
    return JSON.parse(this.dom.window.eval(`JSON.stringify((${run})())`));
  }
}

export default { launch: async () => ({ newPage: async () => new Page(), close: async () => {} }) };
