/** Where the reader's servers are kept: in this browser and nowhere else. */
import { readCluster, type OwnCluster } from '../../own-cluster/cluster.ts';
import { readStored, store } from '../storage.ts';
import { CLUSTER_KEY } from './cluster-key.ts';

const AT_KEY = 'cluster:at';

export function storedCluster(): OwnCluster | null {
  return readCluster(readStored(CLUSTER_KEY));
}

export function storeCluster(cluster: OwnCluster | null): void {
  store(CLUSTER_KEY, cluster === null ? null : JSON.stringify(cluster));
  if (cluster === null) store(AT_KEY, null);
}

/** The number of the server that is being worked on; the first unless one was chosen. */
export function serverAt(cluster: OwnCluster): number {
  const at = Number(readStored(AT_KEY) ?? 0);
  return cluster.servers[at] === undefined ? 0 : at;
}

export function storeServerAt(at: number): void {
  store(AT_KEY, String(at));
}

export const isOfCluster = (key: string | null): boolean => key === null || key === CLUSTER_KEY || key === AT_KEY;
