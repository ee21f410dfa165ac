/** Validated commits in a whole conductor: what is published, and what becomes of a sequencer that builds badly. */
import { describe, expect, it } from 'vitest';
import { buildBlock } from '../payload/build-block.ts';
import { formatEnvelope, type Envelope } from '../payload/envelope.ts';
import { prefixedHex } from '../payload/hex.ts';
import { encodeSsz } from '../payload/ssz.ts';
import { heartbeatFrom } from '../raft/testing/messages.ts';
import { ConductorWorld, type ClientAnswer } from '../testing/conductor-world.ts';
import { askedToLead, leaderBeside, type Told } from '../testing/peers.ts';
import { RequestDecoder } from '../wire/decode-message.ts';
import { encodeRequest } from '../wire/encode-message.ts';

const first = buildBlock({ parent: null, timestamp: 1000, transactions: [] });

function leading(): ConductorWorld {
  const world = ConductorWorld.bootstrapped({ validation: 'leader' });
  commit(world, first);
  world.nodeHead = first;
  world.ask('conductor_resume');
  world.run(500);
  world.asked.length = 0;
  return world;
}

function commit(world: ConductorWorld, envelope: Envelope): ClientAnswer {
  return world.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(envelope) }]);
}

/** Offers a block, and waits for no answer. */
function begin(world: ConductorWorld, envelope: Envelope): void {
  const values = [{ payload: formatEnvelope(envelope) }];
  world.push({ kind: 'rpc', answerId: 0, method: 'conductor_commitUnsafePayload', values, from: 'test', as: '' });
}

/** What waits in the send queues to other voters' clients: the messages' bytes as they were queued. */
function queuedBlocks(world: ConductorWorld): (readonly Uint8Array[])[] {
  return world.sent.filter(({ request }) => request.kind === 'validate').map(({ request }) => encodeRequest(request));
}

/** What a peer reads once they are sent. */
function payloadIn(chunks: readonly Uint8Array[]): Uint8Array | null {
  const decoder = new RequestDecoder();
  for (const chunk of chunks) decoder.push(chunk);
  const request = decoder.next();
  return request?.kind === 'validate' ? request.payload : null;
}

const next = (salt: number): Envelope =>
  buildBlock({ parent: first, timestamp: 1001, transactions: [Uint8Array.of(0x7e, salt)] });

describe('a block that the own execution client refuses (rules 28 and 29)', () => {
  it('is refused as invalid, nothing is appended, and the job is dropped', () => {
    const world = leading();
    world.node.invalid.add(prefixedHex(next(1).executionPayload.blockHash));
    expect(commit(world, next(1))).toMatchObject({ error: { data: { outcome: 'refused', reason: 'invalid' } } });
    world.run(200);
    expect(world.conductor.committedHead()?.number).toBe(0n);
    expect(world.asked.filter((method) => method.startsWith('admin_st'))).toEqual([
      'admin_stopSequencer',
      'admin_startSequencer',
    ]);
    expect(commit(world, next(2))).toEqual({ result: null });
    expect(world.counts.get('bad_seals_total dropJob')).toBe(1);
  });

  it('is refused again when it is offered again, though the client says nothing then', () => {
    const world = leading();
    world.node.invalid.add(prefixedHex(next(1).executionPayload.blockHash));
    commit(world, next(1));
    for (const version of [2, 3, 4]) world.held.add(`engine_newPayloadV${version}`);
    for (let time = 0; time < 3; time++)
      expect(commit(world, next(1))).toMatchObject({ error: { data: { outcome: 'refused', reason: 'invalid' } } });
    expect(world.conductor.committedHead()?.number).toBe(0n);
  });

  it('with nobody to hand over to a second one switches recover mode on, and a block switches it off', () => {
    const world = leading();
    for (const salt of [1, 2]) {
      world.node.invalid.add(prefixedHex(next(salt).executionPayload.blockHash));
      commit(world, next(salt));
      world.run(200);
    }
    expect(world.node.isRecovering).toBe(true);
    expect(world.node.isSequencing).toBe(true);
    expect(commit(world, next(3))).toEqual({ result: null });
    world.run(100);
    expect(world.node.isRecovering).toBe(false);
  });

  it('a block that is valid is marked so in the log, and the mark outlives a restart', () => {
    const world = leading();
    commit(world, next(1));
    const again = new ConductorWorld({ store: world.store });
    const stored = again.store.load().entries.at(-1);
    expect((stored?.summary?.[1] ?? 0) & 2).toBe(2);
  });

  it('a client that does not answer keeps no block back for longer than half a block time', () => {
    const world = leading();
    world.held.add('engine_newPayloadV4');
    world.held.add('engine_newPayloadV3');
    world.held.add('engine_newPayloadV2');
    const before = world.now;
    expect(commit(world, next(1))).toEqual({ result: null });
    expect(world.now - before).toBeGreaterThanOrEqual(500);
    expect(world.now - before).toBeLessThan(600);
  });
});

describe('a client that cannot execute what follows its head before it has synced or is restarted (rule 28)', () => {
  it.each<[string, Told, readonly string[]]>([
    ['to one that can build', {}, ['b']],
    ['to nobody where none can', { healthy: false }, []],
  ])('has its leader hand over, %s', (_, told, takers) => {
    const world = leaderBeside(new Map([['b', told]]), { validation: 'leader' });
    commit(world, first);
    world.nodeHead = first;
    world.run(500);
    expect(world.node.isSequencing).toBe(true);
    world.node.canExecute = false;
    expect(commit(world, next(1))).toMatchObject({ error: { data: { outcome: 'refused', reason: 'client-syncing' } } });
    world.run(500);
    expect(askedToLead(world)).toEqual(takers);
    expect(world.node.isSequencing).toBe(takers.length === 0);
  });
});

describe('a large block that is not committed is still read by those who were asked about it (rule 28)', () => {
  const large = buildBlock({ parent: first, timestamp: 1001, transactions: [new Uint8Array(1_500_000).fill(0x7e)] });
  const engineMethods = [2, 3, 4].map((version) => `engine_newPayloadV${version}`);

  it('by the observer, which gives it to a client that could not execute it again and again', () => {
    const world = leading();
    world.node.canExecute = false;
    expect(commit(world, large)).toMatchObject({ error: { data: { reason: 'client-syncing' } } });
    const asked = (): number => world.asked.filter((method) => engineMethods.includes(method)).length;
    const before = asked();
    world.run(3000);
    expect(asked()).toBeGreaterThan(before);
    world.node.canExecute = true;
    world.run(3000);
    expect(commit(world, large)).toEqual({ result: null });
  });

  const laterTerm = { ...heartbeatFrom('b', 3), address: '127.0.0.1:2' };
  const endings: readonly [when: string, end: (world: ConductorWorld) => void, reason: string][] = [
    ['the own client refuses it', (world) => world.release(), 'invalid'],
    [
      'leadership is lost',
      (world) => world.push({ kind: 'request', connectionId: 1, inboundId: 1, request: laterTerm }),
      'not-leader',
    ],
  ];

  it.each(endings)('by the voters to whom it is still being sent when %s', (_, end, reason) => {
    const told = { validates: true };
    const world = leaderBeside(new Map(['b', 'c'].map((id) => [id, told])), { validation: 'quorum' });
    for (const method of engineMethods) world.held.add(method);
    world.node.invalid.add(prefixedHex(large.executionPayload.blockHash));
    begin(world, large);
    const queued = queuedBlocks(world);
    expect(queued).toHaveLength(2);
    end(world);
    expect(world.counts.get(`payloads_refused_total ${reason}`)).toBe(1);
    const ssz = encodeSsz(large) as Uint8Array;
    for (const chunks of queued) expect(Buffer.from(payloadIn(chunks) ?? []).equals(ssz)).toBe(true);
  });
});
