/**
 * Runs beside the page while authors write: brings the page to what it has become when its content or a component has
 * changed, or loads it anew where the reader was, and takes new styles; islands are React's to exchange, which keep their
 * state. What the build would refuse is asked for when the page stands: the checks of the whole site keep nobody waiting
 * for an edit.
 */
// Before any component is loaded, React learns that components will be exchanged.
// oxlint-disable-next-line import/no-unassigned-import -- it has no names.
import '@vitejs/plugin-react/preamble';
import { patchPage } from './patch-page.ts';

const PLACE = 'authoring-place';

const kept = sessionStorage.getItem(PLACE);
if (kept !== null) {
  sessionStorage.removeItem(PLACE);
  const { path, top } = JSON.parse(kept) as { path: string; top: number };
  if (path === location.pathname) scrollTo({ top, behavior: 'instant' });
}

/** The page as it was served; the page script has not begun yet. */
let served = document.cloneNode(true) as Document;
/** One change is taken in after the other. */
let settled: Promise<void> = Promise.resolve();

/** What cannot be brought into the page that stands needs another one. */
async function takeIn(): Promise<void> {
  const answer = await fetch(location.href);
  const newest = new DOMParser().parseFromString(await answer.text(), 'text/html');
  document.querySelector('[data-problems]')?.remove();
  const isPage = newest.querySelector('[data-problems]') === null;
  if (!isPage || !patchPage(document, served, newest)) return loadAnew();
  const version = versionOf(newest)?.content;
  if (version !== undefined) versionOf(document)?.setAttribute('content', version);
  served = newest;
  void showProblems();
}

function takeAnew(): void {
  settled = settled.then(takeIn).catch(loadAnew);
}

function versionOf(page: Document): HTMLMetaElement | null {
  return page.querySelector('meta[name=authoring-version]');
}

function loadAnew(): void {
  sessionStorage.setItem(PLACE, JSON.stringify({ path: location.pathname, top: scrollY }));
  location.reload();
}

/** Something may have changed between the answer with this page and the connection that tells of changes. */
async function compareVersions(): Promise<void> {
  const shown = versionOf(document)?.content;
  const newest = await (await fetch('/authoring/version')).text();
  if (shown !== newest) takeAnew();
}

/** A page that says why it cannot be shown has its problems already. Those of an older page are not shown any more. */
async function showProblems(): Promise<void> {
  if (document.querySelector('[data-problems]') !== null) return;
  const shown = served;
  const answer = await fetch(`/authoring/problems${location.pathname}`);
  const problems = await answer.text();
  if (!answer.ok || served !== shown) return;
  document.querySelector('[data-problems]')?.remove();
  document.body.insertAdjacentHTML('beforeend', problems);
}

/** The old styles go when the new ones have come. */
function takeStylesAnew(): void {
  const old = document.querySelector<HTMLLinkElement>('link[rel=stylesheet][href^="/authoring/"]');
  if (old === null) return;
  const sheet = old.cloneNode() as HTMLLinkElement;
  sheet.addEventListener('load', () => old.remove());
  sheet.href = `${new URL(old.href).pathname}?${performance.now()}`;
  old.after(sheet);
}

import.meta.hot?.on('site:changed', takeAnew);
import.meta.hot?.on('site:styles', takeStylesAnew);
import.meta.hot?.on('vite:ws:connect', () => void compareVersions());
void compareVersions();
if (document.readyState === 'complete') void showProblems();
else addEventListener('load', () => void showProblems());
