// Version 1.0.33 knows one address. What it asks of that goes to the stand-in; nothing else leaves the machine.
const real = globalThis.fetch;
globalThis.fetch = (asked, ...rest) => {
  const url = String(asked);
  if (!url.startsWith("https://context7.com/api/")) throw new TypeError(`no such address here: ${url}`);
  return real(process.env.STAND_IN + url.slice("https://context7.com/api".length), ...rest);
};
