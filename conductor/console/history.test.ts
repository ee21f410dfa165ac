import { Database } from 'bun:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { History, type StoredEvent } from './history.ts';
import type { ServerState } from './protocol.ts';

const dayMs = 24 * 3600 * 1000;
const state: ServerState = { answers: true, role: 'leader', isSequencing: true, isHealthy: true, isPaused: false };
const event = (atMs: number): StoredEvent => ({ cluster: 'c', server: 'a', atMs, kind: 'alarm', data: { alarm: 'x' } });

test('a full file loses its oldest part, and what is new is kept', () => {
  const history = new History(':memory:', 60);
  const data = { text: 'x'.repeat(900) };
  for (let atMs = 0; atMs < 400; atMs += 1)
    expect(history.event({ ...event(atMs), data }, `l-${atMs}`), `event ${atMs}`).toBe(true);
  const kept = history.events('c', 0, 400).map(({ atMs }) => atMs);
  expect(kept.length).toBeGreaterThan(100);
  expect(kept.at(-1)).toBe(399);
  expect(kept[0]).toBeGreaterThan(200);
});

test('a write that fails for another reason costs nothing of the past, and nobody is thrown at', () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'h.sqlite');
  const history = new History(path);
  onTestFinished(() => history.close());
  for (let atMs = 0; atMs < 20; atMs += 1) history.event(event(atMs), `l-${atMs}`);
  const other = new Database(path);
  const refuse = (name: string, change: string): void =>
    void other.exec(`CREATE TRIGGER ${name} BEFORE ${change} ON events BEGIN SELECT RAISE(ABORT, 'refused'); END`);
  refuse('no_more', 'INSERT');
  history.event(event(20), 'l-20');
  expect(history.events('c', 0, 100)).toHaveLength(20);
  refuse('no_less', 'DELETE');
  other.close();
  history.event(event(21), 'l-21');
  expect(() => history.thin(100 * dayMs)).not.toThrow();
  expect(history.events('c', 0, 100)).toHaveLength(20);
});

test('an event that cannot be written is new all the same, once: the page shows it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'h.sqlite');
  const history = new History(path);
  onTestFinished(() => history.close());
  history.event(event(0), 'l-0');
  const other = new Database(path);
  other.exec("CREATE TRIGGER no_more BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'refused'); END");
  const isNew = (name: string): boolean => history.event(event(1), name);
  expect([isNew('l-1'), isNew('l-1'), isNew('l-2')]).toEqual([true, false, true]);
  for (let at = 0; at < 2000; at += 1) isNew(`m-${at}`);
  expect([isNew('m-1999'), isNew('l-1')]).toEqual([false, true]);
  other.exec('DROP TRIGGER no_more');
  other.close();
  expect([isNew('l-3'), isNew('l-3')]).toEqual([true, false]);
  expect(history.events('c', 0, 1)).toHaveLength(2);
});

test('what was written is there after it is opened again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'h.sqlite');
  const first = new History(path);
  first.event(event(5), 'l-1');
  first.lane('c', { server: 'a', atMs: 5, state });
  first.block('c', { number: 7, atMs: 6 }, 0);
  first.setCursor('c', 'a', 'l-1');
  first.close();
  const again = new History(path);
  onTestFinished(() => again.close());
  expect(again.events('c', 0, 10)).toEqual([event(5)]);
  expect(again.lanes('c', 8, 10)).toEqual([{ server: 'a', atMs: 5, state }]);
  expect(again.blocks('c', 0, 10)).toEqual([{ number: 7, atMs: 6, spreadMs: 0 }]);
  expect([again.cursor('c', 'a'), again.cursor('c', 'b')]).toEqual(['l-1', null]);
});

test('an event is kept once, a block with the earliest word about it', () => {
  const history = new History(':memory:');
  expect([history.event(event(5), 'l-1'), history.event(event(5), 'l-1'), history.event(event(5), 'l-2')]).toEqual([
    true,
    false,
    true,
  ]);
  for (const atMs of [60, 40, 50]) history.block('c', { number: 7, atMs }, 0);
  expect(history.blocks('c', 0, 100)).toEqual([{ number: 7, atMs: 40, spreadMs: 0 }]);
});

test('of a block that was found by asking it is kept between what it came, until somebody tells', () => {
  const history = new History(':memory:');
  history.block('c', { number: 7, atMs: 60, spreadMs: 30 }, 0);
  expect(history.blocks('c', 0, 100)).toEqual([{ number: 7, atMs: 60, spreadMs: 30 }]);
  history.block('c', { number: 7, atMs: 60 }, 0);
  expect(history.blocks('c', 0, 100)).toEqual([{ number: 7, atMs: 60, spreadMs: 0 }]);
  history.block('c', { number: 7, atMs: 45 }, 0);
  history.block('c', { number: 7, atMs: 50, spreadMs: 30 }, 0);
  expect(history.blocks('c', 0, 100)).toEqual([{ number: 7, atMs: 45, spreadMs: 0 }]);
});

test('the file of an earlier release is gone on with', () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'h.sqlite');
  const old = new Database(path, { create: true });
  old.exec(`CREATE TABLE blocks(cluster TEXT NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL,
    gap INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(cluster, number)) WITHOUT ROWID; INSERT INTO blocks VALUES ('c', 7, 6, 0)`);
  old.close();
  const history = new History(path);
  onTestFinished(() => history.close());
  expect(history.blocks('c', 0, 10)).toEqual([{ number: 7, atMs: 6, spreadMs: 0 }]);
});

test('who was elected last is known, whoever else has changed its role since', () => {
  const history = new History(':memory:');
  expect(history.leader('c')).toBeNull();
  const role = (server: string, atMs: number, is: string): void =>
    void history.event({ cluster: 'c', server, atMs, kind: 'role', data: { role: is } }, String(atMs));
  role('a', 1, 'leader');
  role('b', 2, 'leader');
  role('a', 3, 'follower');
  expect(history.leader('c')).toBe('b');
});

test('thinning leaves what a picture of the time still needs: gaps, and how things were at the bound', () => {
  const history = new History(':memory:');
  const now = 100 * dayMs;
  for (const [number, gapMs] of [
    [1, 0],
    [2, 1500],
  ] as const)
    history.block('c', { number, atMs: now - 3 * dayMs + number }, gapMs);
  history.block('c', { number: 3, atMs: now - 1000 }, 0);
  for (const days of [40, 35, 10]) history.lane('c', { server: 'a', atMs: now - days * dayMs, state });
  history.event(event(now - 31 * dayMs), 'old');
  history.event(event(now - 29 * dayMs), 'young');
  history.thin(now);
  expect(history.blocks('c', 0, now).map(({ number }) => number)).toEqual([2, 3]);
  expect(history.lanes('c', 0, now).map(({ atMs }) => (now - atMs) / dayMs)).toEqual([35, 10]);
  expect(history.events('c', 0, now).map(({ atMs }) => (now - atMs) / dayMs)).toEqual([29]);
});

test('a long stretch is told by its ends and its pauses, also where the blocks of it are gone', () => {
  const history = new History(':memory:');
  const now = 100 * dayMs;
  for (let number = 0; number < 10; number += 1)
    history.block(
      'c',
      { number, atMs: now - 3 * dayMs + number * 1000 + (number > 4 ? 2500 : 0) },
      number === 5 ? 3500 : 0,
    );
  const at = (ms: number): number => now - 3 * dayMs + ms;
  expect(history.blockCount('c', 0, now)).toEqual({ count: 10, fromMs: at(0), toMs: at(11_500) });
  expect(history.pauses('c', 0, now)).toEqual([[at(4000), at(7500)]]);
  history.thin(now);
  expect(history.pauses('c', 0, now)).toEqual([[at(4000), at(7500)]]);
  expect(history.blockCount('x', 0, now)).toBeNull();
});

test('around an election every block is kept, so that the failover stays what it was', () => {
  const history = new History(':memory:');
  const now = 100 * dayMs;
  const electedMs = now - 5 * dayMs;
  history.event({ ...event(electedMs), kind: 'role', data: { role: 'leader' } }, 'e');
  for (const [number, minutes] of [
    [1, -20],
    [2, -9],
    [3, 0.5],
    [4, 20],
  ] as const)
    history.block('c', { number, atMs: electedMs + minutes * 60_000 }, 0);
  history.thin(now);
  expect(history.blocksAround('c', [electedMs, electedMs]).map(({ number }) => number)).toEqual([2, 3]);
  expect(history.blocks('c', 0, now)).toHaveLength(2);
});

test('a silence ends by itself', () => {
  const history = new History(':memory:');
  history.silence('c', 'x is down', 'known', 'alice', 100);
  expect(history.silences('c', 99)).toEqual([{ text: 'x is down', reason: 'known', untilMs: 100 }]);
  expect(history.silences('c', 100)).toEqual([]);
});

test('how late blocks were is told in cells, by their timestamps; a cell without a block is none', () => {
  const history = new History(':memory:');
  const blocks = [
    [1, 1010],
    [2, 2030],
    [3, 3000],
    [6, 9500],
  ] as const;
  for (const [number, atMs] of blocks) history.block('c', { number, atMs }, 0);
  const stretch = { fromMs: 1000, toMs: 10_000, cellMs: 2000, blockMs: 1000, zeroMs: 0 };
  expect(history.late('c', stretch)).toEqual([
    [1000, 10, 20, 30],
    [3000, 0, 0, 0],
    [9000, 3500, 3500, 3500],
  ]);
  expect(history.blockBefore('c', 3000)).toEqual([{ number: 2, atMs: 2030, spreadMs: 0 }]);
  expect(history.blockBefore('c', 1010)).toEqual([]);
});
