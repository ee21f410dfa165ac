/**
 * The writing client: several writers, each with one operation under way at a time, following the
 * leader. Every operation has an id of its own and is sent exactly once, so that the state machine
 * must show an acknowledged one once, a refused one never, and an unknown one at most once.
 */
import type { Cluster } from './cluster.ts';
import { ControlClient } from './control.ts';
import { requestBytes } from './http-connection.ts';
import { OPERATION_BYTES, operationCommand, writeOperationId } from './operation.ts';
import { pause } from './wait.ts';

const RETRY_PAUSE_MS = 5;
const ANSWER_TIMEOUT_MS = 3000;

/** An operation as its writer saw it end. */
export interface WrittenOperation {
  readonly client: number;
  readonly sequence: number;
  /** 0 unless acknowledged. */
  readonly index: number;
  /** performance.now() when it was sent and when it ended. */
  readonly sentMs: number;
  readonly endedMs: number;
  /** Id of the node asked. */
  readonly nodeId: string;
}

let nextClient = 1;

export class Writers {
  readonly acknowledged: WrittenOperation[] = [];
  readonly refused: WrittenOperation[] = [];
  readonly unknown: WrittenOperation[] = [];
  readonly #cluster: Cluster;
  readonly #commandBytes: number;
  readonly #running: Promise<void>[] = [];
  #target: string | null = null;
  #stopped = false;

  /** Starts `count` writers at once; each command has `commandBytes` (≥ 16) bytes. */
  constructor(cluster: Cluster, count: number, commandBytes = 64) {
    this.#cluster = cluster;
    this.#commandBytes = commandBytes;
    for (let writer = 0; writer < count; writer += 1) this.#running.push(this.#write(nextClient++));
  }

  /** Resolves after every operation under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  async #write(client: number): Promise<void> {
    const request = requestBytes('POST', '/apply', operationCommand(client, 0, this.#commandBytes));
    const idOffset = request.byteLength - this.#commandBytes;
    const connections = new Map<string, ControlClient>();
    for (let sequence = 1; !this.#stopped; sequence += 1) {
      const node = this.#choose();
      if (node === null) {
        await pause(RETRY_PAUSE_MS);
        continue;
      }
      let connection = connections.get(node.id);
      if (connection === undefined) connections.set(node.id, (connection = new ControlClient(node.controlPort)));
      writeOperationId(request.subarray(idOffset, idOffset + OPERATION_BYTES), 0, client, sequence);
      const sentMs = performance.now();
      const outcome = await connection.outcome(request, ANSWER_TIMEOUT_MS);
      const index = outcome.kind === 'committed' ? outcome.index : 0;
      const operation = { client, sequence, index, sentMs, endedMs: performance.now(), nodeId: node.id };
      if (outcome.kind === 'committed') this.acknowledged.push(operation);
      else {
        (outcome.kind === 'refused' ? this.refused : this.unknown).push(operation);
        if (this.#target === node.id) this.#target = null;
        await pause(RETRY_PAUSE_MS);
      }
      if (outcome.kind === 'committed') this.#target = node.id;
    }
    for (const connection of connections.values()) connection.close();
  }

  /** The node that last acknowledged, or else any running one. */
  #choose(): { readonly id: string; readonly controlPort: number } | null {
    const running = this.#cluster.running;
    return running.find(({ id }) => id === this.#target) ?? running[Math.floor(Math.random() * running.length)] ?? null;
  }
}
