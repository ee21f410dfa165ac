import { beforeEach, expect, test } from 'vitest';
import type { PublishedEvent } from './published-event.ts';
import { RaftReport } from './raft-report.ts';
import { Suffrage, type IndexedConfiguration } from './raft/types.ts';

const lines: string[] = [];
let report: RaftReport;

function members(index: number, ...ids: string[]): IndexedConfiguration {
  const servers = ids.map((id) => ({
    id,
    address: `${id}:1`,
    suffrage: id === 'c' ? Suffrage.nonvoter : Suffrage.voter,
  }));
  return { index, configuration: { servers } };
}

const published: PublishedEvent[] = [];

beforeEach(() => {
  lines.length = 0;
  const logger = {
    log: (level: string, message: string, fields: Readonly<Record<string, unknown>> = {}) =>
      void lines.push(`${level} ${message} ${JSON.stringify(fields)}`),
  };
  const events = { publish: (event: PublishedEvent) => void published.push(event) };
  published.length = 0;
  report = new RaftReport({ logger, events }, 'a', members(5, 'a', 'b'));
});

test('a follower says whom it follows, and that it follows nobody', () => {
  report.notice({ kind: 'leader', leaderId: null, address: null, term: 3 });
  report.notice({ kind: 'leader', leaderId: 'b', address: 'b:1', term: 4 });
  expect(lines).toEqual([
    'info no leader is known {"term":3}',
    'info following the leader {"leader":"b","addr":"b:1","term":4}',
  ]);
});

test('of a long id or address the beginning is said', () => {
  report.notice({ kind: 'leader', leaderId: 'x'.repeat(65_536), address: 'y'.repeat(65_536), term: 4 });
  expect(lines.join('').length).toBeLessThan(2 * 256 + 100);
});

test('own leadership is left to the line about it', () => {
  report.notice({ kind: 'leader', leaderId: 'a', address: 'a:1', term: 3 });
  expect(lines).toEqual([]);
});

test('a committed membership is said once, and not if it was known at the start', () => {
  report.notice({ kind: 'configuration', configuration: members(5, 'a', 'b'), committed: true });
  report.notice({ kind: 'configuration', configuration: members(9, 'a', 'b', 'c'), committed: false });
  expect(lines).toEqual([]);
  report.notice({ kind: 'configuration', configuration: members(9, 'a', 'b', 'c'), committed: true });
  report.notice({ kind: 'configuration', configuration: members(9, 'a', 'b', 'c'), committed: true });
  expect(lines).toEqual([
    'info cluster membership changed {"version":9,"servers":["a (voter, a:1)","b (voter, b:1)","c (nonvoter, c:1)"]}',
  ]);
});

test('a member whose address nobody here can dial is warned of as soon as the membership is in the log, once', () => {
  const logger = {
    log: (level: string, message: string, fields = {}) =>
      void lines.push(`${level} ${message} ${JSON.stringify(fields)}`),
  };
  const faultOf = (address: string): string | null => (address === 'c:1' ? 'no number' : null);
  const warned = (): string[] => lines.filter((line) => line.startsWith('warn'));
  const ofC = [
    'warn a member can never be reached at its address: add it again with host and port as a number {"server":"c","addr":"c:1","err":"no number"}',
  ];
  const anew = new RaftReport({ logger, events: { publish: () => undefined } }, 'a', members(5, 'a', 'b'), faultOf);
  expect(warned()).toEqual([]);
  for (const committed of [false, true])
    anew.notice({ kind: 'configuration', configuration: members(9, 'a', 'b', 'c'), committed });
  expect(warned()).toEqual(ofC);
  lines.length = 0;
  expect(new RaftReport({ logger, events: { publish: () => undefined } }, 'a', members(5, 'c'), faultOf)).toBeDefined();
  expect(warned()).toEqual(ofC);
});

test('a server that was removed says so; one that never was a member does not', () => {
  report.notice({ kind: 'configuration', configuration: members(9, 'b'), committed: true });
  report.notice({ kind: 'configuration', configuration: members(10, 'b', 'c'), committed: true });
  expect(lines.filter((line) => line.startsWith('warn'))).toEqual([
    'warn this server is no longer a member of the cluster {"version":9}',
  ]);
});

test('snapshots are told with their peer', () => {
  report.notice({ kind: 'snapshot', action: 'taken', index: 40 });
  report.notice({ kind: 'snapshot', action: 'sent', index: 40, peerId: 'c' });
  expect(lines).toEqual(['info snapshot taken {"index":40}', 'info snapshot sent {"index":40,"peer":"c"}']);
});

test('an alarm of the log is an error, with what it is about', () => {
  report.notice({ kind: 'alarm', alarm: 'wrong-server', message: 'another answers', fields: { server: 'b' } });
  expect(lines).toEqual(['error another answers {"component":"raft","server":"b"}']);
});

test('a committed membership is published once, with the suffrage in words', () => {
  const notice = { kind: 'configuration', configuration: members(6, 'a', 'c'), committed: true } as const;
  report.notice(notice);
  report.notice(notice);
  report.notice({ ...notice, configuration: members(7, 'a'), committed: false });
  expect(published).toEqual([
    {
      kind: 'membership',
      version: 6,
      servers: [
        { id: 'a', address: 'a:1', suffrage: 'voter' },
        { id: 'c', address: 'c:1', suffrage: 'nonvoter' },
      ],
    },
  ]);
});
