/** What the page makes of addresses, of the runbook's text, and of a failover for a report. */
import { expect, test } from 'vitest';
import type { Failover } from '../../conductor/console/protocol.ts';
import { readRunbook } from './runbook-text.ts';
import { join } from 'node:path';
import { failoverPicture } from './failover-picture.ts';
import { reportText } from './FailoverActions.tsx';
import { linkTo, placeOf } from './place.ts';
import { blocksOf } from './Runbook.tsx';

test('an address and what it leads to are the same, whatever a cluster is called', () => {
  const place = { view: 'failovers', cluster: 'op/main net', item: 'node-2-3' } as const;
  expect(placeOf(linkTo(place))).toEqual(place);
  expect(placeOf('#/nothing/%')).toEqual({ view: 'fleet', cluster: '', item: '' });
});

test('every section of the runbook is cut into text, steps and commands, and loses none of its words', () => {
  const runbook = readRunbook(join(import.meta.dirname, '../../content/pages/conductor/runbooks'));
  expect(Object.keys(runbook)).toEqual(expect.arrayContaining(['ConductorNoLeader', 'disk-full', '-32601']));
  for (const [code, text] of Object.entries(runbook)) {
    const words = blocksOf(text).map((block) => (block.kind === 'list' ? block.items.join(' ') : block.text));
    const bare = (one: string): string => one.replaceAll(/```\w*|^(\d+\.|-) /gm, '').replaceAll(/\s+/g, '');
    expect(bare(words.join('\n')), code).toBe(bare(text));
  }
  expect(Object.values(runbook).join('')).not.toMatch(/#run=/);
  expect(blocksOf(runbook['ConductorNoLeader'] ?? '').map(({ kind }) => kind)).toEqual([
    'text',
    'text',
    'code',
    'list',
    'text',
  ]);
});

const failover: Failover = {
  id: 'b-3',
  atMs: 1_700_000_000_000,
  from: 'a',
  to: 'b',
  term: 3,
  kind: 'lost',
  source: 'told',
  phases: [
    {
      key: 'silence',
      label: 'Last block to first sign',
      fromMs: 1_700_000_000_000,
      toMs: 1_700_000_000_577,
      note: 'b: <gone>',
    },
    { key: 'block', label: 'First block', fromMs: 1_700_000_000_577, toMs: 1_700_000_002_100, note: 'block 6' },
  ],
  lastBlock: 5,
  firstBlock: 6,
  gapMs: 2100,
  gapRangeMs: null,
  missedSlots: 1,
  told: [{ atMs: 1_700_000_000_500, server: 'a', kind: 'alarm', text: 'alarm: x' }],
};

test('the text for a report says who, how long, what was missed, and every phase', () => {
  expect(reportText(failover, 'mainnet').split('\n')).toEqual([
    'mainnet: a to b (term 3). a was lost.',
    'Blocks 5 and 6 are 2.10 s apart. 1 slot missed.',
    '',
    '2023-11-14T22:13:20.577Z  Last block to first sign: 577 ms (b: <gone>)',
    '2023-11-14T22:13:22.100Z  First block: 1.52 s (block 6)',
    '',
    'Told meanwhile:',
    '2023-11-14T22:13:20.500Z  a: alarm: x',
    '',
  ]);
});

test('of what was found by asking the text says between what it was, and what nobody told', () => {
  const asked = { ...failover, term: null, kind: 'unknown', source: 'asked', gapRangeMs: [1100, 3200] } as const;
  expect(reportText(asked, 'mainnet').split('\n').slice(0, 2)).toEqual([
    'mainnet: a to b. Leadership went from a to b, handed over or lost.',
    'Blocks 5 and 6 are 2.10 s apart, between 1.10 s and 3.20 s. At least 1 slot missed.',
  ]);
});

test('the picture stands alone, and what servers are called cannot break it', () => {
  const picture = failoverPicture(failover, 'main<net');
  expect(picture).toMatch(/^<svg xmlns=/);
  expect(picture).toContain('main&lt;net: a to b');
  expect(picture).toContain('b: &lt;gone&gt;');
});
