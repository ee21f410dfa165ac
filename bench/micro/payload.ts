/**
 * What one commit costs before it reaches the log: reading the body (large ones leave less for the rest), the
 * same in single steps (parsing JSON, reading the envelope, writing SSZ),
 * checking the block hash, and the summary beside the entry; then what the index of a long log costs.
 * Run with `bun bench/micro/payload.ts`; prints the tenth percentile of many runs in microseconds.
 */
import { blockHash } from '#conductor/core/payload/block-hash';
import { summarizeData } from '#conductor/core/payload/block-summary';
import { buildBlock } from '#conductor/core/payload/build-block';
import { formatEnvelope, type Envelope } from '#conductor/core/payload/envelope';
import { EnvelopeError, parseEnvelope } from '#conductor/core/payload/parse-envelope';
import { SszError } from '#conductor/core/payload/ssz-check';
import { decodeSsz, encodeSsz } from '#conductor/core/payload/ssz';
import { UnsafeChain } from '#conductor/core/payload/unsafe-chain';
import { readBody } from '#conductor/core/rpc/read-body';
import { EntryType } from '#conductor/core/raft/types';

const SIZES = [1_000, 100_000, 1_000_000];
const TRANSACTION_BYTES = 250;
const ENTRIES = 50_000;
const RUN_MS = 400;

function sample(bytes: number): Envelope {
  const count = Math.max(1, Math.round(bytes / TRANSACTION_BYTES));
  const transactions = Array.from({ length: count }, (_, at) =>
    Uint8Array.from({ length: TRANSACTION_BYTES }, (_unused, position) => (at * 31 + position * 7) & 255),
  );
  return buildBlock({ parent: null, timestamp: 1, transactions });
}

/** Microseconds of a call that a tenth of the calls stayed below: what it costs when the machine does little else. */
function lowDecile(call: () => unknown): number {
  const took: number[] = [];
  const end = performance.now() + RUN_MS;
  while (performance.now() < end || took.length < 5) {
    const start = performance.now();
    call();
    took.push((performance.now() - start) * 1000);
  }
  return took.sort((left, right) => left - right)[Math.floor(took.length / 10)]!;
}

function sszOf(envelope: Envelope): Uint8Array {
  const ssz = encodeSsz(envelope);
  if (ssz instanceof SszError) throw ssz;
  return ssz;
}

const rows = SIZES.map((size) => {
  const envelope = sample(size);
  const text = JSON.stringify(formatEnvelope(envelope));
  const json: unknown = JSON.parse(text);
  const parsed = parseEnvelope(json);
  if (parsed instanceof EnvelopeError) throw parsed;
  const ssz = sszOf(parsed);
  const call = { jsonrpc: '2.0', id: 1, method: 'conductor_commitUnsafePayload', params: [formatEnvelope(envelope)] };
  const body = new TextEncoder().encode(JSON.stringify(call));
  const micros = {
    readBody: lowDecile(() => readBody(body, 1)),
    'JSON.parse': lowDecile(() => JSON.parse(text)),
    parseEnvelope: lowDecile(() => parseEnvelope(json)),
    encodeSsz: lowDecile(() => encodeSsz(parsed)),
    blockHash: lowDecile(() => blockHash(parsed)),
    summary: lowDecile(() => summarizeData(ssz, null)),
    decodeSsz: lowDecile(() => decodeSsz(ssz)),
    formatEnvelope: lowDecile(() => JSON.stringify(formatEnvelope(parsed))),
  };
  return { bytes: ssz.length, transactions: envelope.executionPayload.transactions.length, ...micros };
});
console.log('microseconds, tenth percentile');
console.table(
  rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Math.round(value * 10) / 10])),
  ),
);

const chain = new UnsafeChain(() => null);
let parent = sample(250);
const summaries = Array.from({ length: ENTRIES }, () => {
  const ssz = sszOf(parent);
  parent = buildBlock({ parent, timestamp: 1, transactions: [] });
  return { size: ssz.length, summary: summarizeData(ssz, null) };
});
Bun.gc(true);
const before = process.memoryUsage();
const start = performance.now();
summaries.forEach(({ size, summary }, at) =>
  chain.appended({ index: at + 1, term: 1, type: EntryType.command, size, summary }),
);
const appendMs = performance.now() - start;
Bun.gc(true);
const after = process.memoryUsage();
const bytesEach = (after.heapUsed - before.heapUsed) / ENTRIES;
console.log(`index of ${ENTRIES} payloads: ${appendMs.toFixed(1)} ms to fill, ${bytesEach.toFixed(0)} bytes each`);
for (let at = 0; at < ENTRIES; at++) {
  chain.apply({ index: at + 1, term: 1, type: EntryType.command, summary: null, data: () => null });
}
const head = chain.head()!;
console.log(
  `chainFrom over all ${ENTRIES}: ${lowDecile(() => chain.chainFrom(head.number - BigInt(ENTRIES), 64)).toFixed(0)} µs`,
);
