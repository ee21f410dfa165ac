/**
 * Brings islands to life when they are seen or used. The page script itself holds no React: it comes with the first
 * island. An island that cannot be loaded says so beside its static content, which stays.
 */
import { islands } from '../islands/registry.ts';

/** Islands are loaded this far before they come into sight. */
const MARGIN = '256px';

const mounted = new Map<Element, Promise<void>>();

export function installIslands(): void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting && target instanceof HTMLElement) load(target);
    },
    { rootMargin: MARGIN },
  );
  const load = (island: HTMLElement): void => {
    observer.unobserve(island);
    void mountIsland(island);
  };
  for (const island of document.querySelectorAll<HTMLElement>('site-island')) {
    const { fragment } = island.dataset;
    const isAsked = (): boolean => fragment !== undefined && location.hash.startsWith(`#${fragment}=`);
    const show = (): void => {
      load(island);
      // The address names no id: the browser stays at the top.
      island.scrollIntoView();
    };
    if (fragment !== undefined) addEventListener('hashchange', () => isAsked() && show());
    if (isAsked()) show();
    else if (island.dataset['when'] === 'start') {
      island.querySelector('[data-start]')?.addEventListener('click', () => load(island));
    } else if (island.dataset['when'] === 'use') {
      for (const sign of ['pointerdown', 'focusin']) island.addEventListener(sign, () => load(island), { once: true });
    } else observer.observe(island);
  }
}

function mountIsland(island: HTMLElement): Promise<void> {
  const running = mounted.get(island);
  if (running !== undefined) return running;
  const mounting = mount(island).catch(() => {
    mounted.delete(island);
    sayFailure(island);
  });
  mounted.set(island, mounting);
  return mounting;
}

async function mount(island: HTMLElement): Promise<void> {
  const name = island.dataset['name'] ?? '';
  const load = islands[name];
  if (load === undefined) throw new Error(`there is no island ${name}`);
  island.ariaBusy = 'true';
  const [{ renderIsland }, { default: Component }] = await Promise.all([import('./render-island.ts'), load()]);
  await renderIsland(island, Component, island.dataset['props'] ?? '{}');
  island.ariaBusy = null;
}

function sayFailure(island: HTMLElement): void {
  island.ariaBusy = null;
  if (island.querySelector(':scope > [role=alert]') !== null) return;
  const words = document.createElement('p');
  words.role = 'alert';
  words.textContent = 'This part could not be loaded. Check the connection, then try again.';
  island.prepend(words);
}
