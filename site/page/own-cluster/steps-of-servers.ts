/**
 * Procedures that are gone through once for each server: above the steps stands how far each of the reader's is, and
 * what is ticked counts for the one that is worked on.
 */
import type { OwnCluster } from '../../own-cluster/cluster.ts';
import { make } from '../make.ts';
import { stepsDone, STEPS_CHANGED } from '../steps.ts';
import { serverAt, storeServerAt } from './stored-cluster.ts';

/** Of the stepper's list, until it is made anew. */
const listeners = new Map<HTMLElement, AbortController>();

/** Takes them away where there is no cluster; `changed` is called when a server was chosen. */
export function showServersOfSteps(cluster: OwnCluster | null, changed: () => void): void {
  for (const stepper of document.querySelectorAll<HTMLElement>('[data-steps][data-per-server]')) {
    const at = cluster === null ? undefined : cluster.servers[serverAt(cluster)]?.id;
    if (at === undefined) delete stepper.dataset['server'];
    else stepper.dataset['server'] = at;
    stepper.dispatchEvent(new Event(STEPS_CHANGED));
    stepper.querySelector(':scope > [data-servers]')?.remove();
    listeners.get(stepper)?.abort();
    if (cluster === null) continue;
    const list = make('p', { role: 'group', ariaLabel: 'Servers' });
    list.dataset['servers'] = '';
    const show = (): void => list.replaceChildren(...buttonsOf(stepper, cluster, changed));
    const { signal } = newListener(stepper);
    // After the stepper's own, which store what is done.
    stepper.addEventListener('change', show, { signal });
    stepper.querySelector('[data-steps-reset]')?.addEventListener('click', show, { signal });
    show();
    stepper.prepend(list);
  }
}

function newListener(stepper: HTMLElement): AbortController {
  const listener = new AbortController();
  listeners.set(stepper, listener);
  return listener;
}

function buttonsOf(stepper: HTMLElement, { servers }: OwnCluster, changed: () => void): HTMLElement[] {
  return servers.map(({ id }, number) => {
    const { done, of } = stepsDone(stepper, id);
    const words = done === 0 ? 'not begun' : done === of ? 'done' : `${done} of ${of}`;
    const isHere = stepper.dataset['server'] === id;
    const button = make('button', { type: 'button', ariaPressed: String(isHere) }, `${id}: ${words}`);
    button.addEventListener('click', () => {
      storeServerAt(number);
      changed();
      stepper.querySelectorAll<HTMLElement>(':scope > [data-servers] button')[number]?.focus();
    });
    return button;
  });
}
