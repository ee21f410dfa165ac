import { describe, expect, it } from 'vitest';
import type { CallResult, NodeRequest } from '../node/calls.ts';
import { buildBlock } from '../payload/build-block.ts';
import { prefixedHex } from '../payload/hex.ts';
import { encodeSsz } from '../payload/ssz.ts';
import { VoterVerdicts } from './voter-verdicts.ts';

const parent = buildBlock({ parent: null, timestamp: 1000, transactions: [] });
const block = buildBlock({ parent, timestamp: 1001, transactions: [] });
const ssz = encodeSsz(block) as Uint8Array;
const parentHash = prefixedHex(parent.executionPayload.blockHash);
const otherHash = prefixedHex(block.executionPayload.blockHash);

class World {
  readonly asked: { readonly request: NodeRequest; readonly end: (result: CallResult) => void }[] = [];
  readonly answers: string[] = [];
  readonly verdicts: VoterVerdicts;

  constructor(hasEngine = true) {
    this.verdicts = new VoterVerdicts({
      hasEngine,
      call: (request, end) => void this.asked.push({ request, end }),
      answer: (id, verdict, message) => void this.answers.push(`${id} ${verdict} ${message}`),
    });
  }

  clientSays(status: string, validationError: string | null = null): void {
    this.asked.shift()!.end({ kind: 'result', value: { status, validationError, latestValidHash: null } });
  }

  clientStandsOn(hash: string): void {
    const { request, end } = this.asked.shift()!;
    expect(request).toMatchObject({ target: 'execution', method: 'eth_getBlockByNumber', params: '["latest",false]' });
    end({ kind: 'result', value: { number: '0x0', hash, parentHash: otherHash } });
  }
}

describe('a leader’s question what the own client says of a block', () => {
  it('is answered with the client’s VALID', () => {
    const world = new World();
    world.verdicts.asked(1, ssz);
    expect(world.asked[0]!.request).toMatchObject({ target: 'engine' });
    world.clientSays('VALID');
    expect(world.answers).toEqual(['1 valid ']);
  });

  it('INVALID counts from a client that stands on the parent', () => {
    const world = new World();
    world.verdicts.asked(1, ssz);
    world.clientSays('INVALID', 'bad root');
    expect(world.answers).toEqual([]);
    world.clientStandsOn(parentHash);
    expect(world.answers).toEqual(['1 invalid bad root']);
  });

  it('and is no verdict from one that has lost its head, or does not say where it stands', () => {
    const world = new World();
    world.verdicts.asked(1, ssz);
    world.clientSays('INVALID', 'bad root');
    world.clientStandsOn(otherHash);
    world.verdicts.asked(2, ssz);
    world.clientSays('INVALID', 'bad root');
    world.asked.shift()!.end({ kind: 'failed', reason: 'timeout', message: '' });
    expect(world.answers.map((answer) => answer.split(' ', 2).join(' '))).toEqual(['1 none', '2 none']);
  });

  it.each(['SYNCING', 'ACCEPTED'])('%s is none', (status) => {
    const world = new World();
    world.verdicts.asked(1, ssz);
    world.clientSays(status);
    expect(world.answers).toEqual([`1 none ${status.toLowerCase()}`]);
  });

  it('what is no payload, and a server without an engine API, cost the client nothing', () => {
    const world = new World();
    world.verdicts.asked(1, Uint8Array.of(1, 2, 3));
    const without = new World(false);
    without.verdicts.asked(2, ssz);
    expect([world.asked, without.asked]).toEqual([[], []]);
    expect([...world.answers, ...without.answers].map((answer) => answer.slice(0, 6))).toEqual(['1 none', '2 none']);
  });

  it('executes two at a time; more are told so, and room is given back', () => {
    const world = new World();
    for (const id of [1, 2, 3]) world.verdicts.asked(id, ssz);
    expect(world.answers).toEqual(['3 none busy with others']);
    world.clientSays('VALID');
    world.verdicts.asked(4, ssz);
    expect(world.asked).toHaveLength(2);
  });
});
