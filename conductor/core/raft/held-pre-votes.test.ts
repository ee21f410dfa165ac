import { expect, it } from 'vitest';
import { LoneNode } from './testing/lone-node.ts';
import { appendFrom, configurationEntry, preVoteFrom, storeWith, voters } from './testing/messages.ts';

/** A follower of n1 that has just lost the only connection of n1, and is asking n1 whether it lives. */
function probing(): { lone: LoneNode; inboundId: number } {
  const lone = new LoneNode({ id: 'n2', store: storeWith([configurationEntry(1, 1, voters('n1', 'n2', 'n3'))]) });
  lone.request(appendFrom('n1', { term: 2 }), 1);
  lone.handle({ kind: 'inboundClosed', connectionId: 1 });
  const inboundId = 900;
  const request = preVoteFrom('n3', 3, 1, 1);
  lone.handle({ kind: 'request', connectionId: 2, inboundId, request });
  expect(lone.replies.has(inboundId), 'held while probing').toBe(false);
  return { lone, inboundId };
}

it('a pre-vote that comes while the leader is probed is granted once the leader is found gone', () => {
  const { lone, inboundId } = probing();
  lone.fail(lone.take('prevote', 'n1')[0]!, 'refused');
  expect(lone.replies.get(inboundId)).toMatchObject({ kind: 'prevote', granted: true });
});

it('and refused when the leader answers, or speaks up by itself', () => {
  const answered = probing();
  const [probe] = answered.lone.take('prevote', 'n1');
  const header = { protocolVersion: 3, id: 'n1', address: 'n1:1' };
  answered.lone.answer(probe!, { ...header, kind: 'prevote', term: 2, granted: false });
  expect(answered.lone.replies.get(answered.inboundId)).toMatchObject({ granted: false });
  const spoke = probing();
  spoke.lone.request(appendFrom('n1', { term: 2 }), 3);
  expect(spoke.lone.replies.get(spoke.inboundId)).toMatchObject({ granted: false });
});
