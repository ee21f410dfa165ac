import { describe, expect, it } from 'vitest';
import { Rhythm } from './rhythm.ts';
import { paintLine } from '#conductor/cli/terminal/text-line';
import type { ClusterView, NodeView } from '#conductor/operate/changes/view';

const process = { state: 'running', sinceMs: 0, reason: '' } as const;

function view(atMs: number, number: number, ...players: number[]): ClusterView {
  const nodes = [0, 1, 2].map((index): NodeView => ({
    index,
    id: `node-${index + 1}`,
    conductor: process,
    sequencer: process,
    role: players[0] === index + 1 ? 'leader' : 'follower',
    term: 1,
    commitIndex: 1,
    appliedIndex: 1,
    head: { number, hash: '0x', timestamp: 0 },
    client: null,
    isSequencing: players.includes(index + 1),
    isHealthy: true,
    isPaused: false,
    commitSeconds: null,
  }));
  return { atMs, nodes, members: null };
}

function draw(rhythm: Rhythm, nowMs: number, width = 80): string {
  return paintLine(rhythm.render(width, nowMs), false);
}

describe('the rhythm of blocks', () => {
  it('writes who sequenced each block, and a rest for each slot without one', () => {
    const rhythm = new Rhythm(1);
    rhythm.advance(view(0, 1, 1));
    rhythm.advance(view(1_050, 2, 1));
    rhythm.advance(view(4_100, 3, 3));
    expect(draw(rhythm, 4_200)).toBe('11··3');
  });

  it('is not confused by a sequencer whose conductor died', () => {
    const rhythm = new Rhythm(1);
    rhythm.advance(view(0, 1, 2, 1));
    expect(draw(rhythm, 0)).toBe('2');
  });

  it('counts rests while the wait lasts', () => {
    const rhythm = new Rhythm(2);
    rhythm.advance(view(0, 1, 1));
    expect(draw(rhythm, 3_000)).toBe('1');
    expect(draw(rhythm, 6_000)).toBe('1··');
  });

  it('shows the newest slots that fit, and several blocks of one look', () => {
    const rhythm = new Rhythm(1);
    rhythm.advance(view(0, 1, 1));
    rhythm.advance(view(300, 9, 2));
    expect(draw(rhythm, 300, 5)).toBe('22222');
    expect(draw(rhythm, 300, 0)).toBe('');
  });
});
