import { describe, expect, it } from 'vitest';
import { formatDuration, renderTable } from './table.ts';
import { paintLine, widthOf } from '#conductor/cli/terminal/text-line';
import type { NodeView } from '#conductor/operate/changes/view';

const NOW = 1_800_000_000_000;

const leader: NodeView = {
  index: 0,
  id: 'node-1',
  conductor: { state: 'running', sinceMs: NOW - 723_000, reason: '' },
  sequencer: { state: 'running', sinceMs: NOW - 723_000, reason: '' },
  role: 'leader',
  term: 3,
  commitIndex: 1204,
  appliedIndex: 1203,
  head: { number: 1190, hash: `0xa1b2c3${'0'.repeat(58)}`, timestamp: NOW / 1000 },
  client: { number: 1190, losses: 0, refusals: 0, lastRefused: null },
  isSequencing: true,
  isHealthy: true,
  isPaused: false,
  commitSeconds: { p50: 0.0012, p99: 0.0104 },
};
const dead: NodeView = {
  ...leader,
  index: 1,
  id: 'node-2',
  conductor: { state: 'down', sinceMs: NOW, reason: 'ended by SIGKILL' },
  sequencer: { state: 'frozen', sinceMs: NOW, reason: '' },
  role: null,
  term: null,
  commitIndex: null,
  appliedIndex: null,
  head: null,
  client: null,
  isSequencing: null,
  isHealthy: null,
  isPaused: null,
  commitSeconds: null,
};
const paused: NodeView = {
  ...leader,
  index: 2,
  id: 'node-3',
  role: 'follower',
  isSequencing: false,
  isPaused: true,
};
const nodes = [leader, dead, paused];

function draw(width: number, selected = 0): string[] {
  return renderTable(nodes, { width, selected, nowMs: NOW }).map((line) => paintLine(line, false));
}

describe('the table of nodes', () => {
  it.each([57, 59, 79, 99, 119, 200])('is never wider than %i columns', (width) => {
    for (const line of renderTable(nodes, { width, selected: 0, nowMs: NOW })) {
      expect(widthOf(line)).toBeLessThanOrEqual(width);
    }
  });

  it('has every column at 120', () => {
    const [title = '', first = ''] = draw(119);
    expect(title.trim().split(/\s+/)).toEqual(
      'node role term commit applied block hash client sequencer health p50 p99 up'.split(' '),
    );
    expect(first.trim().split(/\s+/)).toEqual(
      '▸ node-1 leader 3 1204 1203 1190 a1b2c 1190 active healthy 1.2ms 10.4ms 12m03s'.split(' '),
    );
  });

  it('loses only log indexes and p50 at 80, and still says who leads and whether it works at 60', () => {
    expect(draw(80)[0]?.trim().split(/\s+/)).toEqual('node role term block hash sequencer health p99 up'.split(' '));
    expect(draw(60)[0]?.trim().split(/\s+/)).toEqual('node role block sequencer health p99'.split(' '));
  });

  it('an execution client below what its node believes stands out', () => {
    const client = (number: number): NodeView['client'] => ({ number, losses: 0, refusals: 0, lastRefused: null });
    const styleOf = (number: number): string | undefined =>
      renderTable([{ ...leader, client: client(number) }], { width: 119, selected: 0, nowMs: NOW })[1]?.findLast(
        ({ text }) => text.trim() === String(number),
      )?.style;
    expect([styleOf(5), styleOf(1189), styleOf(1190)]).toEqual(['strong', 'strong', 'plain']);
  });

  it('says in words what is down, frozen, paused or unknown', () => {
    const rows = draw(119);
    expect(rows[2]?.trim().split(/\s+/)).toEqual('node-2 down · · · · · · frozen · · · ·'.split(' '));
    expect(rows[3]).toContain('paused');
  });

  it('calls a running process without an answer silent', () => {
    const silent: NodeView = { ...dead, conductor: { ...leader.conductor }, sequencer: { ...leader.sequencer } };
    const [, row] = renderTable([silent], { width: 79, selected: 0, nowMs: NOW });
    expect(paintLine(row ?? [], false).match(/silent/g)).toHaveLength(2);
  });

  it.each(['removed', 'recovering', 'nonvoter'] as const)('says in full who is %s', (role) => {
    const [, row] = renderTable([{ ...leader, role }], { width: 60, selected: 0, nowMs: NOW });
    expect(paintLine(row ?? [], false)).toContain(` ${role} `);
  });

  it('calls a member that was removed and is down removed', () => {
    const [, row] = renderTable([{ ...dead, role: 'removed' }], { width: 60, selected: 0, nowMs: NOW });
    expect(paintLine(row ?? [], false)).toContain(' removed ');
  });

  it('marks the selected row without colour too', () => {
    const rows = draw(79, 2);
    expect(rows.map((row) => row.includes('▸'))).toEqual([false, false, false, true]);
  });

  it('keeps its columns in place whatever the rows hold', () => {
    const rows = draw(119);
    expect(rows[1]?.indexOf('active')).toBe(rows[0]?.indexOf('sequencer'));
    expect(rows[2]?.indexOf('frozen')).toBe(rows[0]?.indexOf('sequencer'));
  });

  it('cuts what does not fit a column instead of shifting the row', () => {
    const long: NodeView = { ...leader, term: 123_456 };
    const [title, row] = renderTable([long], { width: 119, selected: 0, nowMs: NOW });
    expect(paintLine(row ?? [], false)).toContain('123…');
    expect(widthOf(row ?? [])).toBe(widthOf(title ?? []));
  });
});

describe('durations', () => {
  it.each([
    [-5, '0s'],
    [59_999, '59s'],
    [60_000, '1m00s'],
    [3_599_999, '59m59s'],
    [5 * 3_600_000 + 420_000, '5h07m'],
    [86_400_000 * 3 + 3_600_000 * 4, '3d04h'],
  ])('%i ms is %s', (ms, text) => expect(formatDuration(ms)).toBe(text));
});
