/**
 * The reader's own servers in the commands of a page. What fills them in is loaded where servers were entered, or when
 * the button is pressed.
 */
import { CLUSTER_KEY } from './own-cluster/cluster-key.ts';
import { readStored } from './storage.ts';

export function installOwnCluster(): void {
  const button = document.querySelector<HTMLElement>('[data-own-cluster]');
  if (button === null) return;
  const load = async () => import('./own-cluster/own-cluster.ts');
  if (readStored(CLUSTER_KEY) !== null) void load().then(({ showOwnCluster }) => showOwnCluster(button));
  button.addEventListener('click', () => void load().then(({ askForCluster }) => askForCluster(button)));
}
