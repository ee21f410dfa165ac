import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processMetrics } from '#conductor/core/metrics/process';
import { readRunbook } from '../../site/console/runbook-text.ts';
import { sectionOfAlarm, sectionOfTrouble, wordsOf, wordsOfAlarm } from './event-words.ts';

const runbook = readRunbook(join(import.meta.dirname, '../../content/pages/conductor/runbooks'));

test('every alarm has a sentence, and a section of the runbook', () => {
  const known = processMetrics.flatMap((row) => (row.name === 'alarms_total' ? row.known : []));
  expect(known.length).toBeGreaterThan(10);
  for (const alarm of known) {
    expect(wordsOfAlarm(alarm), alarm).toMatch(/ /);
    expect(runbook, alarm).toHaveProperty(sectionOfAlarm(alarm));
  }
});

test.each([
  ['node-1 does not answer: 127.0.0.1:8547: connection refused', 'ConductorDown'],
  ['node-1 is not ready: the node does not answer: optimism_syncStatus', 'ConductorSequencerUnhealthy'],
  ['node-1 is not ready: the log is not caught up', 'ConductorFollowerLagging'],
  ['the op-node of node-1 does not answer: no answer within 2.5 s', 'ConductorSequencerUnhealthy'],
  ['node-1 sequences and does not lead: stop its sequencer first', 'ConductorTwoSequencers'],
  ['node-1 and node-2 sequence at the same time', 'ConductorTwoSequencers'],
  ['no node that is heard is above 20: they went back below what the log holds, as where', 'left-below-log'],
])('%s: %s', (sentence, section) => {
  expect(sectionOfTrouble(sentence)).toBe(section);
  expect(runbook).toHaveProperty(section);
});

test.each([
  ['constructor', {}, 'constructor'],
  ['toString', {}, 'toString'],
  ['alarm', { alarm: 'constructor' }, 'alarm: constructor'],
  ['order', { order: 'valueOf', target: 7 }, 'valueOf'],
  ['membership', { version: 1, servers: [null, 3, { id: {} }] }, 'members, version 1:  (),  (),  ()'],
  ['role', { role: [], term: 'x', reason: {} }, 'is : '],
])('of an event %s that no conductor of ours publishes: a sentence all the same', (kind, data, sentence) => {
  expect(wordsOf({ kind, data })).toBe(sentence);
});
