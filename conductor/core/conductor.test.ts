import { describe, expect, test } from 'vitest';
import { buildBlock } from './payload/build-block.ts';
import { formatEnvelope, type Envelope } from './payload/envelope.ts';
import { prefixedHex } from './payload/hex.ts';
import { blockOf, ConductorWorld } from './testing/conductor-world.ts';

/** A chain of `count` payloads from block 0 on; chains of different salts differ from the first block. */
function payloads(count: number, salt = 0): Envelope[] {
  const chain: Envelope[] = [];
  for (let each = 0; each < count; each += 1) {
    const parent = chain.at(-1) ?? null;
    chain.push(
      buildBlock({
        parent,
        timestamp: 1000 + each,
        transactions: [Uint8Array.of(0x7e, each)],
        salt: new Uint8Array(32).fill(salt),
      }),
    );
  }
  return chain;
}
const hashOf = (envelope: Envelope): string => prefixedHex(envelope.executionPayload.blockHash);

describe('a bootstrapped conductor', () => {
  test('leads in term 2, is paused, and answers about itself', () => {
    const world = ConductorWorld.bootstrapped();
    expect(world.ask('conductor_leader')).toEqual({ result: true });
    expect(world.ask('conductor_paused')).toEqual({ result: true });
    expect(world.ask('conductor_active')).toEqual({ result: false });
    expect(world.ask('conductor_leaderWithID')).toEqual({ result: { id: 'a', addr: '127.0.0.1:1', suffrage: 0 } });
    expect(world.ask('conductor_clusterMembership')).toEqual({
      result: { servers: [{ id: 'a', addr: '127.0.0.1:1', suffrage: 0 }], version: 1 },
    });
    expect(world.conductor.status().term).toBe(2);
    expect(world.logs).toContain('info cluster membership changed');
  });

  test('restart-paused: bootstrapped again on the same store it only warns and is not paused', () => {
    const first = ConductorWorld.bootstrapped();
    const again = new ConductorWorld({ store: first.store });
    again.push({ kind: 'bootstrap' });
    again.run(3000);
    expect(again.ask('conductor_paused')).toEqual({ result: false });
    expect(again.logs.some((line) => line.startsWith('warn the cluster was not bootstrapped'))).toBe(true);
  });

  test('resume reads the sequencer first and fails if it cannot', () => {
    const world = ConductorWorld.bootstrapped();
    world.node.isUp = false;
    const failed = world.ask('conductor_resume');
    expect(failed.error?.message).toContain(
      'cannot resume because failed to get sequencer active status: failed to get sequencer active status: ',
    );
    world.node.isUp = true;
    expect(world.ask('conductor_resume')).toEqual({ result: null });
    expect(world.ask('conductor_active')).toEqual({ result: true });
  });
});

test('an alarm of the replicated log is logged and counted', () => {
  const world = ConductorWorld.bootstrapped();
  const request = { kind: 'timeoutNow', protocolVersion: 3, id: 'a', address: '127.0.0.1:1' } as const;
  world.push({ kind: 'request', connectionId: 1, inboundId: 1, request });
  expect(world.counts.get('alarms_total own-name')).toBe(1);
  expect(world.logs.filter((line) => line.startsWith('error a request names this server'))).toHaveLength(1);
});

test('after time has passed unseen no read is answered by what was known before (rule 34)', () => {
  const world = ConductorWorld.bootstrapped();
  expect(world.conductor.answerNow('conductor_leader', world.now)).not.toBeNull();
  world.unseenMs += 5000;
  expect(world.conductor.answerNow('conductor_leader', world.now)).toBeNull();
  expect(world.conductor.flashblocksWithheld(world.now)).toBe('lease-over');
  // A leader alone has nobody to ask.
  expect(world.ask('conductor_leader')).toEqual({ result: true });
  expect(world.counts.get('clock_jumps_total')).toBe(1);
  expect(world.logs.some((line) => line.startsWith('warn time passed unseen'))).toBe(true);
});

describe('reads', () => {
  test('are answered at once, as an event gives them, while nothing is due that could change them (rule 15)', () => {
    const world = ConductorWorld.bootstrapped();
    for (const method of ['conductor_leader', 'conductor_clusterMembership', 'health_status'] as const) {
      const now = world.conductor.answerNow(method, world.now);
      expect(now).toMatchObject({ kind: 'result' });
      expect(JSON.parse(now?.kind === 'result' ? now.json : '')).toEqual(world.ask(method).result);
    }
    expect(world.conductor.answerNow('conductor_pause', world.now)).toBeNull();
    expect(world.conductor.answerNow('conductor_leader', world.conductor.nextDeadlineMs())).toBeNull();
  });

  test('are answered again once what was due is done', () => {
    const { conductor } = ConductorWorld.bootstrapped();
    const dueMs = conductor.nextDeadlineMs();
    conductor.handle({ kind: 'tick' }, dueMs);
    expect(conductor.nextDeadlineMs()).toBeGreaterThan(dueMs);
    expect(conductor.answerNow('conductor_leader', dueMs)).not.toBeNull();
  });
});

describe('commitUnsafePayload', () => {
  const [one, two, three] = payloads(3) as [Envelope, Envelope, Envelope];
  const strangers = payloads(6, 1);
  const commit = (world: ConductorWorld, envelope: Envelope) =>
    world.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(envelope) }]);

  test('is answered when committed; the same again is success and is not appended twice', () => {
    const world = ConductorWorld.bootstrapped();
    expect(commit(world, one)).toEqual({ result: null });
    expect(commit(world, two)).toEqual({ result: null });
    const { lastIndex } = world.conductor.status();
    expect(commit(world, two)).toEqual({ result: null });
    expect(commit(world, one)).toEqual({ result: null });
    expect(world.conductor.status().lastIndex).toBe(lastIndex);
  });

  test('same-height: another hash at a held height is refused with the block that is held', () => {
    const world = ConductorWorld.bootstrapped();
    commit(world, one);
    commit(world, two);
    expect(commit(world, strangers[1] as Envelope)).toMatchObject({
      error: {
        code: -32000,
        data: { outcome: 'refused', reason: 'height-held', committed: { number: '0x1', hash: hashOf(two) } },
      },
    });
  });

  test('a payload whose hash is not that of its fields is refused', () => {
    const world = ConductorWorld.bootstrapped();
    const forged = {
      ...one,
      executionPayload: { ...one.executionPayload, gasUsed: one.executionPayload.gasUsed + 1n },
    };
    expect(commit(world, forged)).toMatchObject({ error: { data: { outcome: 'refused', reason: 'block-hash' } } });
    expect(commit(world, one)).toEqual({ result: null });
  });

  test('a payload that no state machine reads (version 1 or 2) is refused', () => {
    const world = ConductorWorld.bootstrapped();
    const old = {
      ...one,
      executionPayload: { ...one.executionPayload, blobGasUsed: null, excessBlobGas: null, withdrawalsRoot: null },
    };
    expect(commit(world, old)).toMatchObject({ error: { data: { outcome: 'refused', reason: 'unsupported' } } });
  });

  test('malformed and missing payloads are -32602, never a crash', () => {
    const world = ConductorWorld.bootstrapped();
    for (const payload of [null, 5, {}, { executionPayload: null }, { executionPayload: { blockNumber: 12 } }]) {
      expect(world.ask('conductor_commitUnsafePayload', [{ payload }])).toMatchObject({ error: { code: -32602 } });
    }
  });

  test('a node that does not lead refuses', () => {
    const world = new ConductorWorld();
    expect(commit(world, one)).toMatchObject({
      error: {
        code: -32000,
        message: 'failed to apply payload envelope: node is not the leader',
        data: { outcome: 'refused', reason: 'not-leader' },
      },
    });
  });

  test('a gap is closed by walking parents to the tip (rule 4); one that does not lead there is refused', () => {
    const world = ConductorWorld.bootstrapped();
    commit(world, one);
    world.knowBlocks([one, two, three]);
    expect(commit(world, three)).toEqual({ result: null });
    expect(commit(world, strangers[5] as Envelope)).toMatchObject({
      error: { data: { outcome: 'refused', reason: 'gap', committed: { hash: hashOf(three) } } },
    });
  });
});

describe('a node behind the committed head (rule 20)', () => {
  const chain = payloads(30);
  const behind = (world: ConductorWorld): void => {
    for (const envelope of chain) world.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(envelope) }]);
    world.nodeHead = chain[3] as Envelope;
  };

  test('is brought up from the log and started, byte-exact payloads and all', () => {
    const world = ConductorWorld.bootstrapped();
    behind(world);
    world.ask('conductor_resume');
    world.run(2000);
    expect(world.nodeHead).toEqual(chain.at(-1));
    expect(world.node.isSequencing).toBe(true);
  });

  test('rule 3: one that sequences and offers another block at a taken height is brought to the tip, once per head', () => {
    const world = ConductorWorld.bootstrapped();
    behind(world);
    world.node.isSequencing = true;
    world.ask('conductor_resume');
    world.run(100);
    world.nodeHead = chain[20] as Envelope;
    const stale = {
      payload: formatEnvelope(buildBlock({ parent: chain[20] as Envelope, timestamp: 5000, transactions: [] })),
    };
    expect(world.ask('conductor_commitUnsafePayload', [stale])).toMatchObject({
      error: { data: { reason: 'height-held' } },
    });
    world.run(500);
    expect(world.nodeHead).toEqual(chain.at(-1));
    const posts = world.asked.filter((method) => method === 'admin_postUnsafePayload').length;
    world.ask('conductor_commitUnsafePayload', [stale]);
    world.run(500);
    expect(world.asked.filter((method) => method === 'admin_postUnsafePayload')).toHaveLength(posts);
  });

  test('also by a conductor that was started anew on that log', () => {
    const first = ConductorWorld.bootstrapped();
    behind(first);
    const world = new ConductorWorld({ store: first.store });
    world.nodeHead = chain[3] as Envelope;
    world.run(5000);
    expect(world.nodeHead).toEqual(chain.at(-1));
    expect(world.node.isSequencing).toBe(true);
  });
});

describe('chain-regression: the rollup moved back and leaves committed payloads behind (rule 6)', () => {
  const chain = payloads(10);
  const other = buildBlock({ parent: chain[5] as Envelope, timestamp: 9000, transactions: [] });
  const commit = (world: ConductorWorld, envelope: Envelope) =>
    world.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(envelope) }]);
  /** A leader that started its sequencer and committed blocks 0 to 9; the node then goes back to block 5. */
  const regressed = (options: ConstructorParameters<typeof ConductorWorld>[0] = {}): ConductorWorld => {
    const world = ConductorWorld.bootstrapped(options);
    for (const envelope of chain.slice(0, 3)) commit(world, envelope);
    world.nodeHead = chain[2] as Envelope;
    world.ask('conductor_resume');
    world.run(500);
    for (const envelope of chain.slice(3)) commit(world, envelope);
    world.knowBlocks(chain.slice(0, 10));
    world.nodeHead = chain[9] as Envelope;
    world.run(1000);
    world.nodeHead = chain[5] as Envelope;
    world.node.postsDropped = Infinity;
    return world;
  };
  const refusedAsHeld = { error: { data: { outcome: 'refused', reason: 'height-held' } } };

  test('a node that was on the committed head and is off it, and has the block still, moves the chain, in one entry', () => {
    const world = regressed();
    expect(world.counts.has('rollbacks_total')).toBe(false);
    // Its node is looked at before that is answered.
    expect(commit(world, other)).toEqual({ result: null });
    expect(world.counts.get('rollbacks_total')).toBe(1);
    const next = buildBlock({ parent: other, timestamp: 9001, transactions: [] });
    expect(commit(world, next)).toEqual({ result: null });
    expect(world.counts.get('rollbacks_total')).toBe(1);
    expect(commit(world, chain[7] as Envelope)).toMatchObject({ error: { data: { outcome: 'refused' } } });
  });

  test('the log before it is kept behind a snapshot until somebody joins, also by a restart', () => {
    const world = regressed();
    expect(commit(world, other)).toEqual({ result: null });
    const { firstIndex, snapshotIndex, lastIndex } = world.conductor.status();
    expect([firstIndex, snapshotIndex]).toEqual([1, lastIndex]);
    const again = new ConductorWorld({ store: world.store });
    again.run(3000);
    expect(again.conductor.status().firstIndex).toBe(1);
    again.ask('conductor_addServerAsNonvoter', ['later', 'h:9', 0n]);
    again.run(1000);
    expect(again.conductor.status().firstIndex).toBe(lastIndex + 1);
    expect(commit(again, other)).toEqual({ result: null });
    expect(commit(again, buildBlock({ parent: other, timestamp: 9001, transactions: [] }))).toEqual({ result: null });
  });

  test('a safe chain that contradicts the log is evidence enough', () => {
    const world = regressed();
    const safe = buildBlock({ parent: chain[3] as Envelope, timestamp: 8000, transactions: [] });
    const onSafe = buildBlock({ parent: safe, timestamp: 8001, transactions: [] });
    world.nodeHead = safe;
    world.node.safeHead = blockOf(safe);
    world.run(1000);
    expect(commit(world, onSafe)).toEqual({ result: null });
  });

  test('a payload that does not build on the head of the node never moves it', () => {
    const world = regressed();
    world.nodeHead = chain[6] as Envelope;
    expect(commit(world, other)).toMatchObject(refusedAsHeld);
    world.run(7000);
    world.nodeHead = chain[6] as Envelope;
    expect(commit(world, other)).toMatchObject(refusedAsHeld);
  });

  test('a sequencer that this leader neither started nor took a payload from in this term does not move it', () => {
    const world = new ConductorWorld({ store: regressed().store });
    world.node.isUp = false;
    world.run(3000);
    world.node.isUp = true;
    world.nodeHead = chain[3] as Envelope;
    world.node.safeHead = blockOf(buildBlock({ parent: chain[1] as Envelope, timestamp: 8000, transactions: [] }));
    const stranger = buildBlock({ parent: chain[3] as Envelope, timestamp: 9000, transactions: [] });
    expect(commit(world, stranger)).toMatchObject(refusedAsHeld);
  });

  test('--consensus.rollback=refuse leaves it to the operator, with an alarm', () => {
    const world = regressed({ rollback: 'refuse' });
    commit(world, other);
    world.run(7000);
    expect(commit(world, other)).toMatchObject(refusedAsHeld);
    expect(world.logs.some((line) => line.startsWith('error the rollup has left the committed chain'))).toBe(true);
  });
});

describe('ending', () => {
  test('SIGTERM stops the sequencer, says what was left undone and exits 0', () => {
    const world = ConductorWorld.bootstrapped();
    world.node.isSequencing = true;
    world.run(2000);
    world.push({ kind: 'drain', reason: 'SIGTERM' });
    world.run(3000);
    expect(world.node.isSequencing).toBe(false);
    expect(world.exit?.code).toBe(0);
    expect(world.logs.some((line) => line.startsWith('warn leadership was not handed over'))).toBe(true);
  });

  test('conductor_stop answers when stopped, then the process ends', () => {
    const world = ConductorWorld.bootstrapped();
    expect(world.ask('conductor_stop')).toEqual({ result: null });
    expect(world.exit?.code).toBe(0);
    expect(world.ask('conductor_stopped')).toEqual({ result: true });
  });

  test('while ending nothing is admitted', () => {
    const world = ConductorWorld.bootstrapped();
    world.push({ kind: 'drain', reason: 'test' });
    const [envelope] = payloads(1) as [Envelope];
    expect(world.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(envelope) }])).toMatchObject({
      error: { data: { outcome: 'refused', reason: 'shutting-down' } },
    });
  });
});

test('two conductors fed the same events say the same (the core is deterministic)', () => {
  const trace = (): string => {
    const world = ConductorWorld.bootstrapped();
    for (const envelope of payloads(5))
      world.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(envelope) }]);
    world.ask('conductor_resume');
    world.run(5000);
    return JSON.stringify([world.logs, world.asked, world.conductor.status()]);
  };
  expect(trace()).toBe(trace());
});
