/**
 * What the tool asks of one conductor and tells it to do, ours or op-conductor: both answer the same methods.
 * Reads come in one request, so that they belong to one moment; a method that one of them lacks is unknown (null).
 */
import type { ServerConfig } from './cluster-config.ts';
import type { Block } from './cluster-nodes.ts';
import {
  conductorReads,
  isConductor,
  readConductorState,
  type ConductorRead,
  type ConductorState,
  type Member,
  type Readiness,
} from './conductor-state.ts';
import { printable } from './printable.ts';
import { RpcCallError, RpcEndpoint } from './rpc-endpoint.ts';

/** Longest wait for a change, milliseconds; servers give up after 5 s themselves. */
const CHANGE_MS_MAX = 8000;
const NOT_FOUND = 404;

/** Changes throw RpcCallError with the server's words. */
export interface ConductorClient {
  /** Rejects with RpcCallError, also where somebody answers who is no conductor. */
  state(timeoutMs: number): Promise<ConductorState>;
  /** Null where there is no such page: the conductor is not ours. Rejects with RpcCallError where none of both answers. */
  readiness(timeoutMs: number): Promise<Readiness | null>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends the process, after its answer. */
  stop(): Promise<void>;
  /** Whether it answers that it leads, whoever does. */
  override(isOn: boolean): Promise<void>;
  transferTo(member: Member): Promise<void>;
  addNonvoter(member: Pick<Member, 'id' | 'address'>, version: number): Promise<void>;
  addVoter(member: Pick<Member, 'id' | 'address'>, version: number): Promise<void>;
  demote(id: string, version: number): Promise<void>;
  remove(id: string, version: number): Promise<void>;
  /** The leader is to build in the place of a committed block, and of all above it. */
  giveUp(block: Block): Promise<void>;
}

/** A client for one server; throws ClusterConfigError when its credentials cannot be read. */
export function createConductorClient(server: ServerConfig): ConductorClient {
  const endpoint = new RpcEndpoint(server.conductor, server.credentials);
  // The proxy is needed where the node cannot be asked itself.
  const methods: readonly ConductorRead[] = server.node === null ? conductorReads : conductorReads.slice(0, -2);
  const change = async (method: string, ...params: readonly unknown[]): Promise<void> => {
    await endpoint.call(method, params, CHANGE_MS_MAX);
  };
  return {
    async state(timeoutMs) {
      const answers = await endpoint.batch(methods, timeoutMs);
      const state = readConductorState((method) => {
        const answer = answers[methods.indexOf(method)];
        return answer?.kind === 'result' ? answer.result : null;
      });
      if (isConductor(state)) return state;
      const why = answers.find((answer) => answer.kind !== 'result')?.message;
      const { host } = new URL(server.conductor);
      throw new RpcCallError(`what answers at ${host} is no conductor${why === undefined ? '' : ` (${why})`}`, -32000);
    },
    async readiness(timeoutMs) {
      const page = await endpoint.page('/readyz', timeoutMs);
      if (page.status === NOT_FOUND) return null;
      const readiness = readReadiness(page);
      if (readiness !== null) return readiness;
      const { host } = new URL(server.conductor);
      // A proxy that cannot reach it may do so the next time; one that does not pass the question on never will.
      throw new RpcCallError(
        `${host} answered GET /readyz with HTTP status ${page.status}`,
        page.status >= 500 ? null : -32000,
      );
    },
    pause: () => change('conductor_pause'),
    resume: () => change('conductor_resume'),
    stop: () => change('conductor_stop'),
    override: (isOn) => change('conductor_overrideLeader', isOn),
    transferTo: ({ id, address }) => change('conductor_transferLeaderToServer', id, address),
    addNonvoter: ({ id, address }, version) => change('conductor_addServerAsNonvoter', id, address, version),
    addVoter: ({ id, address }, version) => change('conductor_addServerAsVoter', id, address, version),
    demote: (id, version) => change('conductor_demoteVoter', id, version),
    remove: (id, version) => change('conductor_removeServer', id, version),
    giveUp: ({ number, hash }) => change('conductor_giveUpBlock', number, hash),
  };
}

function readReadiness({ status, text }: { readonly status: number; readonly text: string }): Readiness | null {
  if (status === 200 && text === 'ready\n') return { isReady: true, reason: '' };
  const reason = /^not ready: (.*)\n$/s.exec(text)?.[1];
  return status === 503 && reason !== undefined ? { isReady: false, reason: printable(reason) } : null;
}
