/**
 * The by-hand script of raft-wire.json against the core: requests sent in order to one fresh node, on one
 * connection until it is closed, each answered with the very bytes a Go node gives (--raft.legacy-empty-store).
 */
import { describe, expect, it } from 'vitest';
import { byHand } from './testing/by-hand-cases.ts';
import { atOnce, Driver } from '../drive.ts';
import { SszError } from '../payload/ssz-check.ts';
import { decodeSsz } from '../payload/ssz.ts';
import { RequestDecoder } from '../wire/decode-message.ts';
import { encodeResponse } from '../wire/encode-message.ts';
import { WireError } from '../wire/wire-error.ts';
import type { RaftOptions, Ready } from './events.ts';
import { RaftNode } from './node.ts';
import { RAFT_DEFAULTS } from './options.ts';
import { ListMachine } from './testing/list-machine.ts';
import { MemoryStore } from './testing/memory-store.ts';
import type { RpcResponse } from './types.ts';

/** Restores what the state machine of payloads would: the SSZ of one. */
class PayloadMachine extends ListMachine {
  override apply(): string {
    return '';
  }
  override restore(data: Uint8Array): string | null {
    const decoded = decodeSsz(data);
    return decoded instanceof SszError ? decoded.message : null;
  }
}

class ByHandNode {
  readonly #node: RaftNode;
  readonly #driver: Driver<Ready>;
  readonly #answers = new Map<number, RpcResponse>();
  #decoder = new RequestDecoder();
  #connectionId = 1;
  #nextInboundId = 1;
  #nowMs = 0;

  constructor(id: string, address: string) {
    const options: RaftOptions = { ...RAFT_DEFAULTS, id, address, legacyEmptyStore: true };
    const store = new MemoryStore();
    const ports = {
      store,
      stateMachine: new PayloadMachine(),
      random: { next: () => 0.5 },
      wallClock: { unixMs: () => 0, aheadMs: () => 0 },
      version: 'test',
    };
    this.#node = new RaftNode(options, ports, 0);
    this.#driver = new Driver({
      core: this.#node,
      writer: atOnce(store),
      transport: {
        send: () => undefined,
        reply: (inboundId, response) => this.#answers.set(inboundId, response),
        forget: () => undefined,
      },
      nowMs: () => this.#nowMs,
      deliver: () => undefined,
    });
    this.#driver.drain();
  }

  reconnect(): void {
    this.#node.handle({ kind: 'inboundClosed', connectionId: this.#connectionId++ }, this.#nowMs);
    this.#decoder = new RequestDecoder();
    this.#driver.drain();
  }

  wait(ms: number): void {
    const untilMs = this.#nowMs + ms;
    while (this.#node.nextDeadlineMs() <= untilMs) {
      this.#nowMs = Math.max(this.#nowMs, this.#node.nextDeadlineMs());
      this.#node.handle({ kind: 'tick' }, this.#nowMs);
      this.#driver.drain();
    }
    this.#nowMs = untilMs;
  }

  /** Bytes in, answer bytes out; 'closed' when the connection must be closed. */
  send(bytes: Uint8Array): string | 'closed' {
    let answer = '';
    try {
      this.#decoder.push(bytes);
      for (let request = this.#decoder.next(); request; request = this.#decoder.next()) {
        const inboundId = this.#nextInboundId++;
        this.#node.handle({ kind: 'request', connectionId: this.#connectionId, inboundId, request }, this.#nowMs);
        this.#driver.drain();
        const response = this.#answers.get(inboundId);
        if (response) answer += Buffer.concat(encodeResponse(response)).toString('hex');
      }
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      if (answer === '') return 'closed';
    }
    return answer;
  }
}

describe('raft-wire.json, sent by hand', () => {
  const node = new ByHandNode(byHand.node.id, byHand.node.address);
  for (const vector of byHand.cases) {
    it(vector.name, () => {
      if (vector.waitMsBefore) node.wait(vector.waitMsBefore);
      const answer = node.send(Buffer.from(vector.requestHex, 'hex'));
      if (!vector.volatile) expect(answer).toBe(vector.closedByNode ? 'closed' : vector.responseHex);
      if (vector.closedByNode || vector.clientClosesAfter) node.reconnect();
    });
  }
});
