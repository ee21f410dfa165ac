/** What a conductor beside another one says of itself at its start, and what it permits after it stood still. */
import { expect, test } from 'vitest';
import { appendFrom, appendReply, ballot, configurationEntry, statusOf, storeWith } from './raft/testing/messages.ts';
import { ConductorWorld } from './testing/conductor-world.ts';
import { decodePeerStatus } from './wire/peer-status.ts';

const members = ['a', 'b'].map((id, at) => ({ id, address: `127.0.0.1:${at + 1}`, suffrage: 0 as const }));

function worldOf(isPaused: boolean): ConductorWorld {
  return new ConductorWorld({ store: storeWith([configurationEntry(1, 1, { servers: members })]), isPaused });
}

/** Lets b answer all that it has been sent, as one that grants and takes everything. */
function answerAll(world: ConductorWorld): void {
  for (let message = world.sent.shift(); message; message = world.sent.shift()) {
    const { request, requestId } = message;
    if (request.kind === 'vote' || request.kind === 'prevote')
      world.push({ kind: 'response', requestId, response: ballot('b', request.kind, request.term, true) });
    else if (request.kind === 'append') {
      const { term, prevLogIndex: lastLog } = request;
      world.push({ kind: 'response', requestId, response: appendReply('b', { term, success: true, lastLog }) });
    }
  }
}

function leader(): ConductorWorld {
  const world = worldOf(false);
  for (let step = 0; step < 300 && world.conductor.position().role !== 'leader'; step++) {
    world.run(10);
    answerAll(world);
  }
  answerAll(world);
  return world;
}

test('one that starts paused says so in its first answer, before its node was looked at', () => {
  for (const isPaused of [true, false]) {
    const world = worldOf(isPaused);
    const append = appendFrom('b', { term: 2, prevLogIndex: 1, prevLogTerm: 1, peerStatus: statusOf('a') });
    world.push({ kind: 'request', connectionId: 1, inboundId: 1, request: { ...append, address: '127.0.0.1:2' } });
    const [reply] = world.replies;
    const peerStatus = reply?.kind === 'append' && reply.peerStatus ? decodePeerStatus(reply.peerStatus) : null;
    expect(peerStatus).toMatchObject({ paused: isPaused, healthy: null });
  }
});

test('a leader does not say that it leads, nor passes on an answer, before anybody has answered it anew', () => {
  const world = leader();
  expect(world.ask('conductor_leader')).toEqual({ result: true });
  expect(world.ask('admin_sequencerActive')).toHaveProperty('result');
  answerAll(world);
  world.now += 700;
  expect(world.conductor.answerNow('conductor_leader', world.now)).toBeNull();
  expect(world.ask('conductor_leader')).toEqual({ result: false });
  expect(world.conductor.position()).toMatchObject({ role: 'leader', isSure: false });
  world.run(200);
  answerAll(world);
  expect(world.ask('conductor_leader')).toEqual({ result: true });
  expect(world.conductor.position().term).toBe(2);
  // A proxied call waits for that answer; with none it is refused, for then this server leads no more.
  world.now += 700;
  expect(world.ask('admin_sequencerActive').error?.message).toContain('non-leader');
  expect(world.conductor.position().role).not.toBe('leader');
});

test('nor does one whose machine was suspended, while its own clock stood still', () => {
  const world = leader();
  world.unseenMs += 30_000;
  expect(world.conductor.answerNow('conductor_leader', world.now)).toBeNull();
  world.now += 1;
  expect(world.ask('conductor_leader')).toEqual({ result: false });
  expect(world.conductor.position()).toMatchObject({ role: 'leader', isSure: false });
  expect(world.conductor.flashblocksWithheld(world.now)).toBe('lease-over');
  answerAll(world);
  expect(world.ask('conductor_leader')).toEqual({ result: true });
  expect(world.conductor.position().term).toBe(2);
});
