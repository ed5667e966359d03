// Loaded before the real server: what it asks the service goes to the stand-in on this machine, and nowhere else.
const real = globalThis.fetch;
const standIn = new URL(process.env.STAND_IN);

globalThis.fetch = (address, options) => {
  const asked = new URL(address);
  const [kind] = asked.hostname.split('.');
  return real(new URL(`/${kind}${asked.pathname}${asked.search}`, standIn), options);
};
