/** The by-hand script of raft-wire.json, which a real Go node was sent, against the simulated one: it gives the very bytes. */
import { describe, expect, it } from 'vitest';
import { byHand } from '#conductor/core/raft/testing/by-hand-cases';
import { RAFT_DEFAULTS } from '#conductor/core/raft/options';
import { RequestDecoder } from '#conductor/core/wire/decode-message';
import { encodeResponse } from '#conductor/core/wire/encode-message';
import { WireError } from '#conductor/core/wire/wire-error';
import { Disk } from '../disk.ts';
import { GoRaft } from './go-raft.ts';

const disk = new Disk();
const raft = new GoRaft({ ...RAFT_DEFAULTS, ...byHand.node }, disk, { next: () => 0.5 }, 0);
let nowMs = 0;

/** What it has to say, once everything is written. */
function settle(): string {
  let answer = '';
  raft.tick(nowMs);
  for (let ready = raft.ready(); !ready.isEmpty; ready = raft.ready()) {
    if (ready.write !== null) disk.write(ready.write);
    raft.persisted(nowMs);
    for (const { response } of ready.replies) answer += Buffer.concat(encodeResponse(response)).toString('hex');
  }
  return answer;
}

function wait(ms: number): void {
  const untilMs = nowMs + ms;
  while (raft.nextDeadlineMs() <= untilMs) {
    nowMs = Math.max(nowMs, raft.nextDeadlineMs());
    settle();
  }
  nowMs = untilMs;
}

describe('raft-wire.json, sent by hand to a simulated op-conductor', () => {
  let decoder = new RequestDecoder();
  const send = (bytes: Uint8Array): string => {
    let answer = '';
    try {
      decoder.push(bytes);
      for (let request = decoder.next(); request !== null; request = decoder.next()) {
        raft.handle({ kind: 'request', connectionId: 1, inboundId: 1, request });
        answer += settle();
      }
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      if (answer === '') return 'closed';
    }
    return answer;
  };
  for (const vector of byHand.cases) {
    it(vector.name, () => {
      wait(vector.waitMsBefore ?? 0);
      const answer = send(Buffer.from(vector.requestHex, 'hex'));
      if (!vector.volatile) expect(answer).toBe(vector.closedByNode ? 'closed' : vector.responseHex);
      if (vector.closedByNode || vector.clientClosesAfter) decoder = new RequestDecoder();
    });
  }
});
