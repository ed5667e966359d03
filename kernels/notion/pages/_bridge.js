// Speaks JSON-RPC to the window that shows this page (MCP Apps, revision 2026-01-26).
const waiting = new Map();
let lastId = 0;

function post(message) {
  window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
}

function ask(method, params) {
  lastId += 1;
  post({ id: lastId, method, params });
  return new Promise((resolve, reject) => waiting.set(lastId, { resolve, reject }));
}

async function callTool(name, args) {
  const result = await ask("tools/call", { name, arguments: args });
  if (result.isError) throw new Error(result.content?.[0]?.text || `${name} failed`);
  return result.structuredContent;
}

function tellModel(structuredContent) {
  const content = [{ type: "text", text: JSON.stringify(structuredContent, null, 2) }];
  ask("ui/update-model-context", { structuredContent, content }).catch(() => undefined);
}

function connect(name, onInput) {
  window.addEventListener("message", ({ source, data }) => {
    if (source !== window.parent || data?.jsonrpc !== "2.0") return;
    const caller = waiting.get(data.id);
    if (caller) {
      waiting.delete(data.id);
      if (data.error) caller.reject(new Error(data.error.message));
      else caller.resolve(data.result);
    } else if (data.method === "ui/notifications/tool-input") {
      onInput(data.params?.arguments || {});
    }
  });
  const appCapabilities = { availableDisplayModes: ["inline", "fullscreen"] };
  const hello = { protocolVersion: "2026-01-26", appCapabilities, clientInfo: { name, version: "1.0.0" } };
  ask("ui/initialize", hello)
    .then(() => post({ method: "ui/notifications/initialized", params: {} }))
    .catch(() => undefined);
}

const byId = (id) => document.getElementById(id);

async function run(work) {
  byId("state").textContent = "…";
  try {
    byId("output").textContent = JSON.stringify(await work(), null, 2);
    byId("state").textContent = "";
  } catch (problem) {
    byId("state").textContent = problem.message;
  }
}
