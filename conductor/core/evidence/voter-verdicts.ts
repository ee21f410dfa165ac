/**
 * Answers a leader that asks what the own execution client says of a block that it is about to commit (rule 28,
 * --consensus.validate=quorum). INVALID counts only from a client that stands on the block's parent: one that has lost
 * its head calls sound blocks invalid.
 */
import { isHead, latestBlock, type CallResult, type NodeRequest } from '../node/calls.ts';
import { newPayload, readPayloadStatus, verdictTimeoutMs } from '../node/engine-calls.ts';
import { prefixedHex } from '../payload/hex.ts';
import { SszError } from '../payload/ssz-check.ts';
import { decodeSsz } from '../payload/ssz.ts';
import type { VerdictName } from '../raft/types.ts';

/** Where the client stands is asked for so long, milliseconds. */
const lookTimeoutMs = 500;
/** Blocks that are executed at a time; a leader offers one after another. */
const runningMax = 2;

export interface VoterVerdictsHost {
  /** The client may be asked by the engine API. */
  readonly hasEngine: boolean;
  /** `then` is called once, with the result. */
  call(request: NodeRequest, then: (result: CallResult) => void): void;
  answer(inboundId: number, verdict: VerdictName, message: string): void;
}

export class VoterVerdicts {
  readonly #host: VoterVerdictsHost;
  #runningCount = 0;

  constructor(host: VoterVerdictsHost) {
    this.#host = host;
  }

  /** Has the client execute a block, given as its SSZ; answered once. */
  asked(inboundId: number, ssz: Uint8Array): void {
    if (!this.#host.hasEngine) return this.#host.answer(inboundId, 'none', 'no engine API is configured here');
    if (this.#runningCount >= runningMax) return this.#host.answer(inboundId, 'none', 'busy with others');
    const decoded = decodeSsz(ssz);
    if (decoded instanceof SszError) return this.#host.answer(inboundId, 'none', 'no payload');
    this.#runningCount += 1;
    const parentHash = prefixedHex(decoded.envelope.executionPayload.parentHash);
    this.#host.call(newPayload(decoded.envelope, verdictTimeoutMs), (result) => {
      const status = readPayloadStatus(result);
      if (status.kind !== 'invalid')
        return this.#end(inboundId, status.kind, status.kind === 'none' ? status.reason : '');
      this.#host.call({ ...latestBlock, timeoutMs: lookTimeoutMs }, (head) => {
        if (isHead(head, parentHash)) this.#end(inboundId, 'invalid', status.message);
        else this.#end(inboundId, 'none', `it says invalid, and stands elsewhere: ${status.message}`);
      });
    });
  }

  #end(inboundId: number, verdict: VerdictName, message: string): void {
    this.#runningCount -= 1;
    this.#host.answer(inboundId, verdict, message);
  }
}
