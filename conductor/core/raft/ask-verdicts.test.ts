import { describe, expect, it } from 'vitest';
import { decodePeerStatus, encodePeerStatus } from '../wire/peer-status.ts';
import type { VoterVerdict } from './types.ts';
import { LoneNode } from './testing/lone-node.ts';
import { appendFrom, configurationEntry, statusOf, nonvoter, storeWith, voters } from './testing/messages.ts';
import type { ValidateRequest } from './types.ts';

const block = Uint8Array.of(1, 2, 3);

function peerStatus(validates: boolean): Uint8Array {
  return encodePeerStatus({ ...decodePeerStatus(statusOf())!, validates });
}

/** n1 leads n2 and n3, which validate, n4 of an older release, n5 of Go's, and n6, which validates and does not vote. */
function leader(): LoneNode {
  const servers = [...voters('n1', 'n2', 'n3', 'n4', 'n5').servers, nonvoter('n6')];
  const n1 = new LoneNode({ store: storeWith([configurationEntry(1, 1, { servers })]) });
  n1.elect();
  const said = new Map([
    ['n2', peerStatus(true)],
    ['n3', peerStatus(true)],
    ['n4', peerStatus(false)],
    ['n6', peerStatus(true)],
  ]);
  for (const message of n1.take('append')) n1.acknowledge(message, said.get(message.peerId));
  n1.sent = [];
  return n1;
}

function ask(n1: LoneNode, questionId = 7): string[] {
  const asked = n1.node.askVerdicts(questionId, block, 8000);
  n1.handle({ kind: 'tick' });
  return asked;
}

function verdicts(n1: LoneNode): VoterVerdict[] {
  return n1.notices.flatMap((notice) => (notice.kind === 'verdict' && notice.questionId === 7 ? [notice.voter] : []));
}

const answer = (peerId: string, verdict: number, message = '') =>
  ({ kind: 'validate', protocolVersion: 3, id: peerId, address: `${peerId}:1`, term: 2, verdict, message }) as const;

describe('a leader that asks what the voters’ clients say of a block', () => {
  it('asks voters that have said that they answer, and no others', () => {
    const n1 = leader();
    expect(ask(n1)).toEqual(['n2', 'n3']);
    const sent = n1.take('validate');
    expect(sent.map(({ peerId, channel, timeoutMs }) => ({ peerId, channel, timeoutMs }))).toEqual([
      { peerId: 'n2', channel: 'validate', timeoutMs: 8000 },
      { peerId: 'n3', channel: 'validate', timeoutMs: 8000 },
    ]);
    expect(sent[0]!.request).toMatchObject({ id: 'n1', payload: block, term: n1.status.term });
  });

  it('tells each answer, and that none will come', () => {
    const n1 = leader();
    ask(n1);
    const [toN2, toN3] = n1.take('validate');
    n1.answer(toN2!, answer('n2', 2, 'bad root'));
    n1.fail(toN3!, 'timeout');
    expect(verdicts(n1)).toEqual([
      { peerId: 'n2', verdict: 'invalid', message: 'bad root' },
      { peerId: 'n3', verdict: 'none', message: 'timeout' },
    ]);
  });

  it('takes the word of another server than it asked, a number that it does not know, and an error for none', () => {
    const n1 = leader();
    ask(n1);
    const [toN2, toN3] = n1.take('validate');
    n1.answer(toN2!, answer('n3', 1));
    n1.answer(toN3!, answer('n3', 99));
    ask(n1);
    n1.answer(n1.take('validate', 'n2')[0]!, { kind: 'error', message: 'what is this?' });
    expect(verdicts(n1).map(({ verdict }) => verdict)).toEqual(['none', 'none', 'none']);
  });

  it('asks nobody when it does not lead', () => {
    const n1 = new LoneNode({ store: storeWith([configurationEntry(1, 1, voters('n1', 'n2', 'n3'))]) });
    expect(ask(n1)).toEqual([]);
  });
});

describe('a voter that is asked', () => {
  function follower(): LoneNode {
    const n1 = new LoneNode({ store: storeWith([configurationEntry(1, 1, voters('n1', 'n2', 'n3'))]) });
    n1.request(appendFrom('n2', { term: 1, prevLogIndex: 1, prevLogTerm: 1 }));
    return n1;
  }
  const from = (id: string, part: Partial<ValidateRequest> = {}): ValidateRequest => ({
    kind: 'validate',
    protocolVersion: 3,
    id,
    address: `${id}:1`,
    term: 1,
    payload: block,
    ...part,
  });
  const isPassedOn = (n1: LoneNode): boolean => n1.notices.some(({ kind }) => kind === 'verdictAsked');

  it('has the block judged, and answers when that is done', () => {
    const n1 = follower();
    expect(n1.request(from('n2'))).toBeUndefined();
    const asked = n1.notices.find((notice) => notice.kind === 'verdictAsked');
    expect(asked).toMatchObject({ payload: block });
    n1.node.answerVerdict(asked!.kind === 'verdictAsked' ? asked!.inboundId : 0, 'invalid', 'bad root');
    n1.handle({ kind: 'tick' });
    expect([...n1.replies.values()].at(-1)).toMatchObject({
      kind: 'validate',
      verdict: 2,
      message: 'bad root',
      id: 'n1',
    });
  });

  it.each([
    ['a stranger', from('n9')],
    ['another member than the leader', from('n3')],
    ['a leader of an older term', from('n2', { term: 0 })],
    ['one that claims a later term', from('n2', { term: 2 })],
    ['nobody', from('n2', { id: null })],
    ['the leader, without a block', from('n2', { payload: null })],
  ])('executes nothing for %s', (_who, request) => {
    const n1 = follower();
    expect(n1.request(request)).toMatchObject({ kind: 'validate', verdict: 0 });
    expect(isPassedOn(n1)).toBe(false);
    expect(n1.status.term).toBe(1);
  });
});
