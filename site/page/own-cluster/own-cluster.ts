/**
 * The reader's own servers: asked for once, kept in this browser, filled into every command. Keyboard: the button opens
 * a dialog, which is a form; the choice of the server that is worked on follows the button.
 */
import type { OwnCluster } from '../../own-cluster/cluster.ts';
import { make } from '../make.ts';
import { openClusterForm } from './cluster-form.ts';
import { fillCode } from './fill-code.ts';
import { isOfCluster, serverAt, storeCluster, storedCluster, storeServerAt } from './stored-cluster.ts';
import { showServersOfSteps } from './steps-of-servers.ts';

const ASKS = 'Your servers';
const HAS = 'Change your servers';

let isWatched = false;

/** Fills in what is stored, and says so beside the button. */
export function showOwnCluster(button: HTMLElement): void {
  const cluster = storedCluster();
  const again = (): void => showOwnCluster(button);
  button.textContent = cluster === null ? ASKS : HAS;
  button.parentElement?.querySelector('[data-own-server]')?.remove();
  if (cluster !== null && cluster.servers.length > 1) button.after(choiceOf(cluster, again));
  const route = document.body.dataset['route'] ?? '';
  fillCode(cluster === null ? null : { cluster, at: serverAt(cluster), route });
  showServersOfSteps(cluster, again);
  if (isWatched) return;
  isWatched = true;
  window.addEventListener('storage', ({ key }) => {
    if (isOfCluster(key)) again();
  });
}

export function askForCluster(button: HTMLElement): void {
  openClusterForm(storedCluster(), (cluster) => {
    storeCluster(cluster);
    showOwnCluster(button);
  });
}

function choiceOf(cluster: OwnCluster, changed: () => void): HTMLElement {
  const at = serverAt(cluster);
  const select = make(
    'select',
    { autocomplete: 'off' },
    ...cluster.servers.map(({ id }, number) => make('option', { value: String(number), selected: number === at }, id)),
  );
  select.addEventListener('change', () => {
    storeServerAt(Number(select.value));
    changed();
    document.querySelector<HTMLElement>('[data-own-server] select')?.focus();
  });
  const label = make('label', {}, 'Working on ', select);
  label.dataset['ownServer'] = '';
  return label;
}
