/**
 * What a sequencer asks its conductor, the way op-node does: leadership when it is started or
 * stopped, and the commitment of every block before anybody hears of it. Each call has a timeout
 * and one immediate second try.
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

/** A client for the conductor at `url`; `timeoutMs` is for one try. */
export function createConductorClient(url: string, timeoutMs: number): ConductorClient {
  const target = { url, timeoutMs };
  return {
    async isLeader() {
      return (await twice(() => callRpc(target, 'conductor_leader'))) === true;
    },
    async commit(block) {
      await twice(() => callRpc(target, 'conductor_commitUnsafePayload', [JSON.parse(block.text)]));
    },
  };
}

async function twice<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (attempt === TRIES) {
        throw error;
      }
      await Bun.sleep(RETRY_AFTER_MS);
    }
  }
}
