/**
 * What a sequencer asks its conductor, the way op-node does: leadership when it is started or
 * stopped, and the commitment of every block before anybody hears of it. Each call has one immediate
 * second try; both are within one deadline.
 */
import { callRpc } from './json-rpc-client.ts';
import type { DevBlock } from './block.ts';

/** Tries per call, and milliseconds between them. */
const TRIES = 2;
const RETRY_AFTER_MS = 50;

/** Asks one conductor. Methods throw RpcCallError when the last try failed. */
export interface ConductorClient {
  isLeader(): Promise<boolean>;
  /** Returns when the conductor has the block in the log of a majority. */
  commit(block: DevBlock): Promise<void>;
}

/** A client for the conductor at `url`; `timeoutMs` is for both tries. */
export function createConductorClient(url: string, timeoutMs: number): ConductorClient {
  const call = (method: string, params?: readonly unknown[]): Promise<unknown> =>
    twice(timeoutMs, (leftMs) => callRpc({ url, timeoutMs: leftMs }, method, params));
  return {
    async isLeader() {
      return (await call('conductor_leader')) === true;
    },
    async commit(block) {
      await call('conductor_commitUnsafePayload', [JSON.parse(block.text)]);
    },
  };
}

async function twice<T>(timeoutMs: number, call: (leftMs: number) => Promise<T>): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    const leftMs = Math.ceil(deadline - performance.now());
    try {
      return await call(Math.max(1, leftMs));
    } catch (error) {
      if (attempt === TRIES || performance.now() + RETRY_AFTER_MS >= deadline) throw error;
      await Bun.sleep(RETRY_AFTER_MS);
    }
  }
}
