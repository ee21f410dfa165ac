/**
 * The load generator: closed-loop clients on persistent connections, each writing one command at a
 * time to the leader. It prepares every request once and only rewrites the operation id in place,
 * because it shares the machine's cores with the servers it measures.
 */
import { HttpConnection, requestBytes } from '../tests/cluster/http-connection.ts';
import type { NodeProcess } from '../tests/cluster/node-process.ts';
import { operationCommand, writeOperationId } from '../tests/cluster/operation.ts';
import { summarize, type Summary } from './statistics.ts';

const ANSWER_TIMEOUT_MS = 10_000;
const OK = 200;
/** A measurement with more errors than this says nothing: the leader was lost. */
const ERRORS_MAX = 100;

export interface Load {
  /** Bytes of one command, ≥ 16. */
  readonly bytes: number;
  readonly clients: number;
}

/** When to stop: after a time, or after a number of commits. */
export type Until = { readonly seconds: number } | { readonly commits: number };

export interface LoadResult {
  readonly commits: number;
  readonly errors: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** Milliseconds from sending a command to its acknowledgement. */
  readonly latencyMs: Summary;
}

let nextClient = 1_000_000;

/** Loads `leader` until the end; operations answered otherwise than by 200 are errors, and not part of the latencies. */
export async function applyLoad(leader: NodeProcess, { bytes, clients }: Load, until: Until): Promise<LoadResult> {
  const latencies: number[] = [];
  const started = performance.now();
  const endMs = 'seconds' in until ? started + until.seconds * 1000 : Number.POSITIVE_INFINITY;
  const commitsMax = 'commits' in until ? until.commits : Number.POSITIVE_INFINITY;
  let begun = 0;
  let errors = 0;
  const one = async (): Promise<void> => {
    const connection = new HttpConnection(leader.controlPort);
    const client = nextClient++;
    const request = requestBytes('POST', '/apply', operationCommand(client, 0, bytes));
    const idOffset = request.byteLength - bytes;
    for (let sequence = 1; begun < commitsMax; sequence += 1) {
      const sent = performance.now();
      if (sent >= endMs) break;
      begun += 1;
      writeOperationId(request, idOffset, client, sequence);
      const { status, body } = await connection.request(request, ANSWER_TIMEOUT_MS);
      if (status === OK) latencies.push(performance.now() - sent);
      else if (++errors === ERRORS_MAX)
        throw new Error(`${leader.id} answered ${status} ${body.toString()}: does it still lead?`);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: clients }, one));
  const seconds = (performance.now() - started) / 1000;
  return {
    commits: latencies.length,
    errors,
    seconds,
    perSecond: latencies.length / seconds,
    latencyMs: summarize(latencies),
  };
}
