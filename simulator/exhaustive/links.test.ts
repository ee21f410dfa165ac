import { describe, expect, test } from 'vitest';
import { Links } from './links.ts';

/** Two requests on the vote lane, 11 and 12, and 21 on the other one. */
function busy(links: Links): number {
  return links.send(links.send(links.send(links.idle, 'vote', 11), 'vote', 12), 'replicate', 21);
}

describe('a link', () => {
  test('carries requests and answers in order, each lane by itself', () => {
    const links = new Links();
    const first = links.deliver(busy(links), 'vote', 31);
    expect(links.get(first).vote).toEqual({ responses: [31], requests: [12], isDead: false });
    const second = links.deliver(first, 'vote', 32);
    expect(links.get(links.answer(second, 'vote')).vote).toEqual({ responses: [32], requests: [], isDead: false });
    expect(links.get(second).replicate.requests).toEqual([21]);
  });

  test('has the same number whenever the same is on it', () => {
    const links = new Links();
    const other = links.send(links.send(links.send(links.idle, 'replicate', 21), 'vote', 11), 'vote', 12);
    expect(other).toBe(busy(links));
    expect(links.answer(links.deliver(links.send(links.idle, 'vote', 11), 'vote', 31), 'vote')).toBe(links.idle);
    expect(links.send(links.idle, 'vote', 12)).not.toBe(links.send(links.idle, 'vote', 11));
    expect(links.deliver(busy(links), 'vote', null)).not.toBe(links.deliver(busy(links), 'vote', 0));
  });

  test('a connection that breaks loses the answers; requests on it may still arrive, in order', () => {
    const links = new Links();
    const broken = links.break(links.deliver(busy(links), 'vote', 31), 'vote');
    expect(links.get(broken)).toMatchObject({ vote: { responses: [], requests: [] }, orphans: [[12]] });
    expect(links.get(links.deliverOrphan(broken, 0)).orphans).toEqual([]);
    const again = links.break(links.send(links.send(broken, 'vote', 13), 'vote', 14), 'vote');
    expect(links.get(again).orphans).toEqual([[12], [13, 14]]);
    expect(links.get(links.deliverOrphan(again, 1)).orphans).toEqual([[12], [14]]);
    expect(links.get(links.dropOrphans(again, (message) => message === 13)).orphans).toEqual([[12], [14]]);
    expect(links.dropOrphans(again, () => false)).toBe(again);
  });

  test('a sender that dies hears no answers; what it has sent may still arrive', () => {
    const links = new Links();
    const died = links.get(links.senderDied(links.deliver(busy(links), 'vote', 31)));
    expect(died.vote).toEqual({ responses: [], requests: [], isDead: false });
    expect(died.orphans).toEqual([[12], [21]]);
  });

  test('of a receiver that dies only answers are left, and nothing more gets through until the sender knows', () => {
    const links = new Links();
    const answered = links.deliver(busy(links), 'vote', 31);
    const died = links.receiverDied(answered, (lane) => lane === 'vote');
    expect(links.get(died).vote).toEqual({ responses: [31], requests: [], isDead: true });
    expect(links.get(died).replicate).toEqual({ responses: [], requests: [], isDead: false });
    expect(links.send(died, 'vote', 13)).toBe(died);
    expect(links.get(links.break(links.answer(died, 'vote'), 'vote')).vote.isDead).toBe(false);
  });
});
