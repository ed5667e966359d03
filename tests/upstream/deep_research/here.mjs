// Loaded before the real server: what it asks of Tavily goes to the stand-in, and its clock stands.
import http from "node:http";
import https from "node:https";

const standIn = new URL(process.env.STAND_IN);
https.request = ({ method, headers, path }, done) =>
  http.request({ method, headers, path, host: standIn.hostname, port: standIn.port }, done);

const at = Number(process.env.AT_MS);
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length ? given : [at]));
  }

  static now() {
    return at;
  }
};
