/**
 * Offers prepared blocks to a leader over raw sockets, `clients` at a time, and times each answer. The client is
 * our own because it must cost nothing beside what it measures: at 20 MB k6 would spend more on its copy of a
 * body than the server on the commit. Blocks leave in order: one begins when the one before is in the kernel.
 */
import { HttpConnection } from '../../tests/cluster/http-connection.ts';
import { summarize, type Summary } from '../statistics.ts';
import type { PreparedCommit } from './blocks.ts';
import type { Conductors } from './conductors.ts';

const ANSWER_TIMEOUT_MS = 30_000;
/** A block that overtook its parent is offered again this often. */
const OFFERS_MAX = 50;
/** In the words of both sides. */
const LOST_LEADERSHIP = /not the leader|leadership lost|leadership-lost|not-leader/;

export interface CommitLoad {
  readonly commits: number;
  /** Blocks that came before their parent and were offered again. */
  readonly repeats: number;
  /** Offers that failed because the leader had lost its leadership; each got it back and was repeated. */
  readonly losses: number;
  /** The first refusal, or '' when there was none. */
  readonly refusal: string;
  readonly perSecond: number;
  /** From the first byte of a block to its answer. */
  readonly latencyMs: Summary;
  /** Processor milliseconds per commit of each node (the leader first), and of this process. */
  readonly cpuMs: readonly number[];
  readonly ownCpuMs: number;
}

/** Commits all blocks (whole HTTP requests), unless the first is refused: then nothing but the refusal is measured. */
export async function commitAll(
  cluster: Conductors,
  blocks: readonly PreparedCommit[],
  clients: number,
): Promise<CommitLoad> {
  const { nodes, leader, stub } = cluster;
  const latencies: number[] = [];
  let next = 0;
  let repeats = 0;
  let losses = 0;
  let refusal = '';
  let lastWritten: Promise<void> = Promise.resolve();
  const client = async (): Promise<void> => {
    const connection = new HttpConnection(leader.rpcPort);
    try {
      for (let block = blocks[next++]; block !== undefined && refusal === ''; block = blocks[next++]) {
        const before = lastWritten;
        const written = Promise.withResolvers<void>();
        lastWritten = written.promise;
        await before;
        const sent = performance.now();
        const result = await offer(cluster, connection, block.bytes, written.resolve);
        repeats += result.repeats;
        losses += result.losses;
        if (result.refusal === '') latencies.push(performance.now() - sent);
        else refusal ||= result.refusal;
        if (result.refusal === '' && block.block.number > stub.head.number) stub.head = block.block;
      }
    } finally {
      connection.close();
    }
  };
  const cpuBefore = nodes.map((node) => node.cpuMs());
  const ownBefore = process.cpuUsage();
  const started = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - started) / 1000;
  const own = process.cpuUsage(ownBefore);
  const commits = latencies.length;
  return {
    commits,
    repeats,
    losses,
    refusal,
    perSecond: commits / seconds,
    latencyMs: summarize(latencies),
    cpuMs: nodes.map((node, at) => (node.cpuMs() - (cpuBefore[at] ?? 0)) / commits),
    ownCpuMs: (own.user + own.system) / 1000 / commits,
  };
}

interface Offered {
  readonly repeats: number;
  readonly losses: number;
  readonly refusal: string;
}

async function offer(
  cluster: Conductors,
  connection: HttpConnection,
  block: Uint8Array,
  onWritten: () => void,
): Promise<Offered> {
  let repeats = 0;
  let losses = 0;
  for (;;) {
    const { status, body } = await connection.request(block, ANSWER_TIMEOUT_MS, onWritten).catch(failedOffer);
    onWritten();
    const text = body.toString();
    if (status === 200 && text.includes('"result":null')) return { repeats, losses, refusal: '' };
    const isEarly = text.includes('"reason":"gap"');
    const isLost = LOST_LEADERSHIP.test(text);
    const isFinal = !(isEarly || isLost) || repeats + losses === OFFERS_MAX;
    if (isFinal) return { repeats, losses, refusal: `${status} ${text.trim().slice(0, 200)}` };
    if (isEarly) repeats += 1;
    else losses += 1;
    if (isLost) await cluster.restoreLeader();
  }
}

/** A connection that the server closes over a large body is a refusal like any other. */
function failedOffer(error: Error): { readonly status: number; readonly body: Buffer } {
  return { status: 0, body: Buffer.from(error.message) };
}
