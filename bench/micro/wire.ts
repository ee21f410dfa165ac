/**
 * Nanoseconds to encode and to decode one AppendEntries request with one entry, the work that every
 * commit does once per peer, beside a heartbeat. Decoding gets the request in pieces of 64 KiB, as
 * sockets deliver it. Run: bun bench/micro/wire.ts
 */
import type { AppendEntriesRequest } from '#conductor/core/raft/types';
import { RequestDecoder } from '#conductor/core/wire/decode-message';
import { encodeRequest } from '#conductor/core/wire/encode-message';
import { goTimeFromUnixMs } from '#conductor/core/wire/go-time';

const PIECE_BYTES = 64 * 1024;
const ROUNDS = 9;
const ROUND_NS = 100_000_000;

const heartbeat: AppendEntriesRequest = {
  kind: 'append',
  protocolVersion: 3,
  id: 'sequencer-1',
  address: '10.0.0.1:50050',
  term: 12,
  leader: '10.0.0.1:50050',
  prevLogIndex: 0,
  prevLogTerm: 0,
  entries: null,
  leaderCommit: 0,
};

function appendOf(bytes: number): AppendEntriesRequest {
  const data = new Uint8Array(bytes).fill(0x5a);
  const appendedAt = goTimeFromUnixMs(1_750_000_000_000);
  const entry = { index: 1_000_001, term: 12, type: 0, data, extensions: null, appendedAt };
  return { ...heartbeat, prevLogIndex: 1_000_000, prevLogTerm: 12, leaderCommit: 1_000_000, entries: [entry] };
}

/** Median over rounds of nanoseconds per call, each round long enough for the clock. */
function nanosecondsPerCall(call: () => void): number {
  const timed = (calls: number) => {
    const start = performance.now();
    for (let i = 0; i < calls; i += 1) call();
    return (performance.now() - start) * 1e6;
  };
  timed(2000);
  const calls = Math.max(100, Math.round((ROUND_NS / Math.max(1, timed(1000))) * 1000));
  const rounds = Array.from({ length: ROUNDS }, () => timed(calls) / calls).sort((a, b) => a - b);
  return rounds[ROUNDS >> 1]!;
}

/** Socket-sized pieces of a request. */
function piecesOf(request: AppendEntriesRequest): Uint8Array[] {
  const whole = new Uint8Array(encodeRequest(request).flatMap((chunk) => [...chunk]));
  return Array.from({ length: Math.ceil(whole.length / PIECE_BYTES) }, (_, i) =>
    whole.slice(i * PIECE_BYTES, (i + 1) * PIECE_BYTES),
  );
}

for (const [name, request] of [
  ['heartbeat', heartbeat],
  ['append 256 B', appendOf(256)],
  ['append 100 kB', appendOf(100_000)],
] as const) {
  const pieces = piecesOf(request);
  const decoder = new RequestDecoder();
  const encodeNs = nanosecondsPerCall(() => encodeRequest(request));
  const decodeNs = nanosecondsPerCall(() => {
    let decoded = null;
    for (const piece of pieces) {
      decoder.push(piece);
      decoded ??= decoder.next();
    }
    if (decoded === null || decoder.bufferedBytes !== 0) throw new Error(`${name} did not decode`);
  });
  console.log(
    `${name.padEnd(14)} encode ${encodeNs.toFixed(0).padStart(7)} ns   decode ${decodeNs.toFixed(0).padStart(7)} ns`,
  );
}
