// Draws a tree of elements and changes the page to match it. Texts become text nodes, never HTML.

/** Return a node of the tree: a tag with properties and children. A function as a tag is called with its properties. */
export function h(tag, props, ...children) {
  const flat = flatten(children, []);
  if (typeof tag === "function") return withKey(tag({ ...props, children: flat }), props?.key);
  return { tag, props: props || {}, children: flat, key: props ? props.key : undefined };
}

/** Give a node that a function has drawn the key that the function was called with. */
function withKey(node, key) {
  if (key !== undefined && node && typeof node === "object" && !Array.isArray(node)) node.key ??= key;
  return node;
}

function flatten(items, into) {
  for (const each of items) {
    if (Array.isArray(each)) flatten(each, into);
    else if (each !== null && each !== undefined && each !== false && each !== true) into.push(each);
  }
  return into;
}

/** Make the children of an element match a list of nodes. */
export function draw(parent, nodes) {
  reconcile(parent, flatten([nodes], []));
}

function reconcile(parent, nodes) {
  const keyed = new Map();
  for (const child of parent.childNodes) if (child.farmKey !== undefined) keyed.set(child.farmKey, child);
  let here = parent.firstChild;
  for (const node of nodes) {
    const key = node.key;
    let found = key !== undefined ? keyed.get(key) : here && here.farmKey === undefined ? here : null;
    if (found && !isSame(found, node)) found = null;
    if (!found) {
      found = make(node);
      parent.insertBefore(found, here);
    } else if (found !== here) parent.insertBefore(found, here);
    else here = here.nextSibling;
    update(found, node);
    found.farmSeen = parent;
  }
  while (here) {
    const next = here.nextSibling;
    parent.removeChild(here);
    here = next;
  }
}

function isSame(element, node) {
  return typeof node === "object" ? element.farmTag === node.tag : element.nodeType === Node.TEXT_NODE;
}

const SVG = new Set(["svg", "path", "polyline", "circle", "line", "rect", "g", "text"]);

function make(node) {
  if (typeof node !== "object") return document.createTextNode(String(node));
  const made = SVG.has(node.tag) ? document.createElementNS("http://www.w3.org/2000/svg", node.tag) : document.createElement(node.tag);
  made.farmTag = node.tag;
  made.farmProps = {};
  if (node.key !== undefined) made.farmKey = node.key;
  return made;
}

function update(element, node) {
  if (typeof node !== "object") {
    if (element.data !== String(node)) element.data = String(node);
    return;
  }
  const before = element.farmProps;
  for (const name in before) if (!(name in node.props)) set(element, name, undefined, before[name]);
  for (const name in node.props) if (node.props[name] !== before[name]) set(element, name, node.props[name], before[name]);
  element.farmProps = node.props;
  reconcile(element, node.children);
  // A conversation opens at its newest message, and stays there while the reader is there.
  if (node.props.atEnd && !element.farmScrolled)
    requestAnimationFrame(() => {
      element.scrollTop = element.scrollHeight;
      element.farmScrolled = true;
    });
}

// Only these attributes hold addresses; a text of a world may fill none but href, and only with a web address.
const SAFE_LINK = /^(https?:|mailto:|#|\/web\/)/i;

function set(element, name, value, before) {
  if (name === "key" || name === "atEnd") return;
  if (name.startsWith("on")) {
    const type = name.slice(2);
    if (before) element.removeEventListener(type, before);
    if (value) element.addEventListener(type, value);
  } else if (name === "style") {
    for (const each in before || {}) element.style.removeProperty(each);
    for (const each in value || {}) element.style.setProperty(each, value[each]);
  } else if (name === "value" || name === "checked" || name === "selected" || name === "disabled") element[name] = value ?? "";
  else if (name === "mail") showMail(element, value);
  else if (value === undefined || value === null || value === false) element.removeAttribute(name);
  else if (name === "href" && !SAFE_LINK.test(String(value))) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

// The one place where a text becomes HTML: a frame without scripts, forms, navigation or network.
const policy = window.trustedTypes ? window.trustedTypes.createPolicy("farm-mail", { createHTML: (text) => text }) : { createHTML: (text) => text };

function showMail(frame, text) {
  frame.setAttribute("sandbox", "");
  frame.setAttribute("referrerpolicy", "no-referrer");
  frame.srcdoc = policy.createHTML(
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src-attr 'unsafe-inline'; img-src data:">${text}`,
  );
}
