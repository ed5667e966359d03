// Loaded before the real server: what it asks of Google goes to the stand-in; nothing else leaves the machine.
import http from "node:http";
import https from "node:https";

process.chdir(process.env.FOLDER);

const standIn = new URL(process.env.STAND_IN);
https.request = (asked, ...rest) => {
  const { hostname, host, pathname, search, path, method, headers } = asked;
  if (!(hostname ?? host).endsWith("googleapis.com")) {
    throw new Error(`the real server asks ${hostname ?? host}`);
  }
  const [done] = rest.filter((each) => typeof each === "function");
  const options = rest.find((each) => typeof each === "object") ?? {};
  return http.request(
    {
      hostname: standIn.hostname,
      port: standIn.port,
      path: path ?? `${pathname}${search ?? ""}`,
      method: options.method ?? method,
      headers: options.headers ?? headers,
    },
    done,
  );
};
