/**
 * Whom the operators' tool talks to: the servers of one cluster and how to reach each, as a cluster file or
 * `--rpc` names them. Plain values; nothing here is asked of a server.
 */
import { printable } from './printable.ts';

/** Files that prove who calls, or who answers; absolute paths, null where there is none. */
export interface Credentials {
  /** Holds a bearer token for the conductors' admin methods (--rpc.auth.tokens-file). */
  readonly tokenFile: string | null;
  /** PEM certificates that https servers are checked against, instead of the system's. */
  readonly caFile: string | null;
  /** PEM certificate and key that the tool shows to https servers; both or none. */
  readonly clientCertFile: string | null;
  readonly clientKeyFile: string | null;
}

/** One server of the cluster. */
export interface ServerConfig {
  /** Its raft server id; where that is not known beforehand, "host:port" of its RPC. */
  readonly id: string;
  /** The cluster has to tell its id, as far as it can. */
  readonly isLearnt: boolean;
  /** Where it stands, such as an availability zone; absent where the file does not say. */
  readonly zone?: string;
  /** URL of the conductor's JSON-RPC. */
  readonly conductor: string;
  /** "host:port" of raft, as the members dial it; null when only the membership knows. */
  readonly consensus: string | null;
  /** URL of op-node's JSON-RPC, admin methods included; null when only the leader's proxy can be asked. */
  readonly node: string | null;
  /** URL of the execution client's JSON-RPC. */
  readonly execution: string | null;
  /** URL of the conductor's metrics page, which tells the term. */
  readonly metrics: string | null;
  /** Shell command that deploys to this server. */
  readonly deploy: string | null;
  /** Shell command that takes the last deployment to this server back. */
  readonly rollback: string | null;
  readonly credentials: Credentials;
}

export interface ClusterConfig {
  /** For people, and what is typed to confirm the worst. */
  readonly name: string;
  /** Absolute path of the cluster file; null with `--rpc`. */
  readonly path: string | null;
  readonly servers: readonly ServerConfig[];
}

/** No token, the system's certificates. */
export const noCredentials: Credentials = {
  tokenFile: null,
  caFile: null,
  clientCertFile: null,
  clientKeyFile: null,
};

/** A server of which only the id and its conductor's URL are known. */
export function bareServer(id: string, conductor: string): ServerConfig {
  return {
    ...{ id, isLearnt: false, conductor, consensus: null, node: null, execution: null, metrics: null },
    ...{ deploy: null, rollback: null, credentials: noCredentials },
  };
}

/** Something about the cluster file or the flags that name the cluster is wrong; the message says what and where. */
export class ClusterConfigError extends Error {
  readonly code = 'CLUSTER_CONFIG';

  constructor(message: string, options?: ErrorOptions) {
    super(printable(message), options);
  }
}
