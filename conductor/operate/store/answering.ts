/**
 * Which servers of a membership still live: somebody listens at their raft address, or their conductor's RPC answers,
 * where it is known. Either is enough, for the two may be cut off from here each by itself, and whoever lives could vote.
 */
import { connect } from 'node:net';
import { parseHostPort } from '#conductor/adapters/tcp/address';
import type { Server } from '#conductor/core/raft/types';
import type { ClusterConfig } from '../cluster-config.ts';
import { openCluster } from '../observe.ts';

const answerMsMax = 2000;

/** Ids of those whose conductor answers, or, where ids are not known, the hosts they answer at. Never rejects. */
export async function answeringConductors(config: ClusterConfig): Promise<string[]> {
  const { servers } = await openCluster(config).observe();
  return servers.filter(({ conductor }) => conductor !== null).map(({ id }) => id);
}

/** Ids of those at whose address a connection is accepted within two seconds, asked side by side. Never rejects. */
export async function answeringServers(servers: readonly Server[]): Promise<string[]> {
  const answers = await Promise.all(servers.map(({ address }) => isListening(address)));
  return servers.filter((_, at) => answers[at] === true).map(({ id }) => id);
}

/** Whether a TCP connection to "host:port" is accepted in time. */
export function isListening(address: string): Promise<boolean> {
  const target = parseHostPort(address);
  if (target === null) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect({ host: target.host, port: target.port, timeout: answerMsMax });
    const settle = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => settle(true));
    socket.once('timeout', () => settle(false));
    socket.once('error', () => settle(false));
  });
}
