/** Under which the reader's servers are stored; every page asks whether there are some. */
export const CLUSTER_KEY = 'cluster';
