import { describe, expect, it } from 'vitest';
import type { ClusterEvent } from '#conductor/operate/changes/cluster-event';
import { renderFrame } from './frame.ts';
import type { Picture } from './frame.ts';
import { Rhythm } from './rhythm.ts';
import { paintLine, widthOf } from '#conductor/cli/terminal/text-line';
import type { NodeView } from '#conductor/operate/changes/view';

const NOW = 1_800_000_000_000;

function node(index: number): NodeView {
  const process = { state: 'running', sinceMs: NOW - 5_000, reason: '' } as const;
  return {
    index,
    id: `node-${index + 1}`,
    conductor: process,
    sequencer: process,
    role: index === 0 ? 'leader' : 'follower',
    term: 2,
    commitIndex: 9,
    appliedIndex: 9,
    head: { number: 7, hash: `0x${'ab'.repeat(32)}`, timestamp: NOW / 1000 },
    client: { number: 7, losses: 0, refusals: 0, lastRefused: null },
    isSequencing: index === 0,
    isHealthy: true,
    isPaused: false,
    commitSeconds: null,
  };
}

function picture(changes: Partial<Picture> = {}): Picture {
  const view = { atMs: NOW, nodes: [node(0), node(1), node(2)], members: null };
  const rhythm = new Rhythm(1);
  rhythm.advance(view);
  const event = (number: number): ClusterEvent => ({
    kind: 'action',
    atMs: NOW,
    text: `event ${number} ${'x'.repeat(200)}`,
    fields: {},
  });
  return {
    view,
    events: Array.from({ length: 50 }, (_, number) => event(number)),
    rhythm,
    selected: 1,
    isHelpShown: false,
    startedMs: NOW - 61_000,
    blockSeconds: 1,
    facts: ['logs in /somewhere'],
    ...changes,
  };
}

const sizes = [
  [80, 24],
  [120, 40],
  [60, 20],
  [40, 10],
  [20, 5],
  [1, 1],
  [300, 100],
] as const;

describe('a frame', () => {
  it.each(sizes)('has as many lines as %i × %i has rows, none too wide', (columns, rows) => {
    for (const isHelpShown of [false, true]) {
      const lines = renderFrame(picture({ isHelpShown }), { columns, rows });
      expect(lines).toHaveLength(rows);
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
    }
  });

  it('ends with the latest event and the keys', () => {
    const text = renderFrame(picture(), { columns: 120, rows: 24 }).map((line) => paintLine(line, false));
    expect(text.at(-4)).toContain('event 49');
    expect(text.at(-1)).toContain('q quit');
  });

  it('shows the block, the age and the rhythm', () => {
    const text = renderFrame(picture(), { columns: 120, rows: 24 }).map((line) => paintLine(line, false));
    expect(text[0]).toMatch(/conductor devnet +block 7 {3}1 s apart {3}up 1m01s$/);
    expect(text.find((line) => line.includes('blocks'))).toMatch(/blocks {2}1$/);
  });

  it('gives up the rhythm before the table on a low terminal', () => {
    const text = renderFrame(picture(), { columns: 80, rows: 9 }).map((line) => paintLine(line, false));
    expect(text.some((line) => line.includes('blocks'))).toBe(false);
    expect(text.filter((line) => line.includes('node-'))).toHaveLength(3);
  });

  it('replaces the events by the help', () => {
    const text = renderFrame(picture({ isHelpShown: true }), { columns: 80, rows: 24 }).map((line) =>
      paintLine(line, false),
    );
    expect(text.some((line) => line.includes('kill its sequencer'))).toBe(true);
    expect(text.some((line) => line.includes('event 49'))).toBe(false);
  });

  it.each([
    [80, 24],
    [60, 20],
    [40, 24],
  ])('shows the whole help at %i × %i: keys, ports, folder and the marks of the blocks', (columns, rows) => {
    const folder = `/a/temporary/folder/${'of-a-devnet-'.repeat(6)}`;
    const facts = ['raft 50050 50051 50052', `logs in ${folder}`];
    const lines = renderFrame(picture({ isHelpShown: true, facts }), { columns, rows });
    const text = lines.map((line) => paintLine(line, false).trim());
    expect(text.join('')).not.toContain('…');
    for (const what of ['select a node', 'kill', 'freeze', 'restart', 'pause', 'lead', 'invalid', 'power cut', 'stop'])
      expect(text.join(' ')).toContain(what);
    for (const what of [facts[0] ?? '']) expect(text.join(' ')).toContain(what);
    expect(text.join('')).toContain(folder);
    expect(text.join(' ')).toContain('| unknown node, · a block time without a block');
  });

  it.each(sizes)('says how to leave at %i × %i', (columns, rows) => {
    for (const isHelpShown of [false, true]) {
      const last = renderFrame(picture({ isHelpShown }), { columns, rows }).at(-1) ?? [];
      expect(paintLine(last, false)).toContain(columns < 6 ? 'q' : 'q quit');
    }
  });

  it('has no escape sequences without colour, and only resets and known styles with it', () => {
    const lines = renderFrame(picture(), { columns: 80, rows: 24 });
    expect(lines.map((line) => paintLine(line, false)).join('')).not.toContain('\u001B');
    const codes = lines.flatMap((line) => paintLine(line, true).split('\u001B[').slice(1));
    expect(new Set(codes.map((code) => code.slice(0, code.indexOf('m'))))).toEqual(new Set(['0', '1', '2', '1;31']));
  });
});
