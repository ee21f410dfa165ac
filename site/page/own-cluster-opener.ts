/**
 * The reader's own servers in the commands of a page. What fills them in is loaded where servers were entered, or when
 * the button is pressed.
 */
import { CLUSTER_KEY } from './own-cluster/cluster-key.ts';
import { readStored } from './storage.ts';

export function installOwnCluster(): void {
  // The first is the one beside the title, which says what is filled in; others only open the dialog.
  const buttons = document.querySelectorAll<HTMLElement>('[data-own-cluster]');
  const [first] = buttons;
  if (first === undefined) return;
  const load = async () => import('./own-cluster/own-cluster.ts');
  if (readStored(CLUSTER_KEY) !== null) void load().then(({ showOwnCluster }) => showOwnCluster(first));
  for (const button of buttons)
    button.addEventListener('click', () => void load().then(({ askForCluster }) => askForCluster(first)));
}
