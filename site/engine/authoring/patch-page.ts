/**
 * Brings the page that stands to what the server gives now, and leaves alone what is the same: islands keep their state,
 * and the page its place. It knows what was served before, so that what scripts have done since is not undone.
 */

/** What page scripts bring to life when a page is loaded; new ones would stay dead. */
const LIVELY = 'site-island, button, input, select, textarea, details, dialog, pre, table, [role], [popover], [id]';

/**
 * Does nothing and returns false where the change is more than text, attributes and still elements, or where a script
 * has changed the same place: then the page has to be loaded anew.
 */
export function patchPage(page: Document, before: Document, after: Document): boolean {
  const changes: Change[] = [];
  if (!plan(page.body, before.body, after.body, changes)) return false;
  for (const change of changes) change();
  page.title = after.title;
  return true;
}

type Change = () => void;

/** Adds what makes `live`, which was served as `before`, what is served as `after`. */
function plan(live: Node | null, before: Node, after: Node, changes: Change[]): boolean {
  if (before.isEqualNode(after)) return true;
  if (live === null || live.nodeName !== before.nodeName || before.nodeName !== after.nodeName) return false;
  if (isElement(live) && isElement(before) && isElement(after)) {
    // What stands in an island is React's.
    if (live.localName === 'site-island') return false;
    planAttributes(live, before, after, changes);
    return planChildren(live, before, after, changes);
  }
  if (live.nodeValue !== before.nodeValue) return false;
  changes.push(() => void (live.nodeValue = after.nodeValue));
  return true;
}

function planAttributes(live: Element, before: Element, after: Element, changes: Change[]): void {
  for (const name of new Set([...before.getAttributeNames(), ...after.getAttributeNames()])) {
    const value = after.getAttribute(name);
    if (value === before.getAttribute(name)) continue;
    changes.push(() => (value === null ? live.removeAttribute(name) : live.setAttribute(name, value)));
  }
}

function planChildren(live: Element, before: Element, after: Element, changes: Change[]): boolean {
  const [standing, old, next] = [live, before, after].map((element) => [...element.childNodes]);
  const pairwise: Change[] = [];
  // What scripts put behind the last child stays there.
  const arePairs =
    old!.length === next!.length && old!.every((child, at) => plan(standing![at] ?? null, child, next![at]!, pairwise));
  if (arePairs) {
    changes.push(...pairwise);
    return true;
  }
  const isStill = [before, after].every((element) => element.querySelector(LIVELY) === null);
  if (!isStill || standing!.length !== old!.length) return false;
  changes.push(() => live.replaceChildren(...next!.map((child) => live.ownerDocument.importNode(child, true))));
  return true;
}

function isElement(node: Node): node is Element {
  return node.nodeType === node.ELEMENT_NODE;
}
