// Loaded before the real server: the three machines it knows are this one, on the stand-in's ports; no other name
// exists, and the clock stands still.
import dns from 'node:dns';
import net from 'node:net';

const ports = JSON.parse(process.env.STAND_IN);
const names = ['smtp.163.com', 'imap.163.com', 'pop.163.com', 'localhost', '127.0.0.1'];

const unknown = (name) =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND', hostname: name });

dns.lookup = (name, options, callback = options) => {
  if (!names.includes(name.toLowerCase())) return process.nextTick(callback, unknown(name));
  const found = options.all ? [[{ address: '127.0.0.1', family: 4 }]] : ['127.0.0.1', 4];
  return process.nextTick(callback, null, ...found);
};
for (const each of ['resolve4', 'resolve6']) {
  dns.Resolver.prototype[each] = (name, callback) => process.nextTick(callback, unknown(name));
}

const now = Number(process.env.NOW_MS);
globalThis.Date = class extends Date {
  constructor(...given) {
    super(...(given.length ? given : [now]));
  }
  static now() {
    return now;
  }
};

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...given) {
  const list = Array.isArray(given[0]) ? given[0] : given;
  const asOptions = typeof list[0] === 'object';
  const port = Number(asOptions ? list[0].port : list[0]);
  if (ports[port]) {
    if (asOptions) list[0] = { ...list[0], port: ports[port] };
    else list[0] = ports[port];
  }
  return connect.apply(this, given);
};
