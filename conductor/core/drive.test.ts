import { describe, expect, test } from 'vitest';
import { atOnce, Driver, type Writer } from './drive.ts';
import type { OutboundRequest, WriteBatch } from './ports.ts';
import type { RaftResult, Ready } from './raft/events.ts';

const NOTHING: Ready = { sendFirst: [], write: null, send: [], replies: [], forget: [], results: [], notices: [] };

/** A Ready with something in every part; `name` tells whose. */
function fullReady(name: string, write: WriteBatch | null): Ready {
  return {
    ...NOTHING,
    sendFirst: [messageTo(`${name} first`)],
    write,
    send: [messageTo(`${name} later`)],
    replies: [{ inboundId: 7, response: { kind: 'timeoutNow', protocolVersion: 3, id: '', address: '' } }],
    forget: [`${name} gone`],
    results: [resultOf(name)],
  };
}

function messageTo(peerId: string): OutboundRequest {
  const request = { kind: 'timeoutNow' as const, protocolVersion: 3, id: '', address: '' };
  return { requestId: 1, peerId, address: '', channel: 'vote', request, timeoutMs: 1 };
}

function resultOf(reason: string): RaftResult {
  return { kind: 'unknown', requestId: 1, reason, index: 0, term: 0 };
}

/** Drives a core that has these Readys to give; what happens is told in order. */
function world(readys: Ready[], writer: (told: string[]) => Writer) {
  const told: string[] = [];
  const driver = new Driver({
    core: {
      ready: () => readys.shift() ?? null,
      persisted: (nowMs) => told.push(`persisted at ${nowMs}`),
      writeFailed: (message) => told.push(`failed: ${message}`),
    },
    writer: writer(told),
    transport: {
      send: ({ peerId }) => told.push(`send ${peerId}`),
      reply: (inboundId) => told.push(`reply ${inboundId}`),
      forget: (peerId) => told.push(`forget ${peerId}`),
    },
    nowMs: () => 42,
    deliver: ({ results }) => told.push(...results.map((result) => `deliver ${'reason' in result && result.reason}`)),
    writeFailed: (error) => told.push(`host hears of ${String(error)}`),
  });
  return { driver, told };
}

const WRITES = (told: string[]): Writer => atOnce({ write: () => told.push('write') });

describe('a Ready is carried out in the order of its contract (rule 15)', () => {
  test('first what may leave before the write, then the write, then all that speaks of what is durable', () => {
    const { driver, told } = world([fullReady('a', {}), fullReady('b', null)], WRITES);
    driver.drain();
    expect(told).toEqual([
      ...['send a first', 'write', 'persisted at 42', 'send a later', 'reply 7', 'forget a gone', 'deliver a'],
      ...['send b first', 'send b later', 'reply 7', 'forget b gone', 'deliver b'],
    ]);
  });

  test('of a Ready whose write fails nothing more leaves, the core is told before the host, and what it then says goes out', () => {
    const failing = (): Writer =>
      atOnce({
        write: () => {
          throw new Error('disk full');
        },
      });
    const { driver, told } = world([fullReady('a', {}), fullReady('b', null)], failing);
    driver.drain();
    expect(told.slice(0, 3)).toEqual(['send a first', 'failed: disk full', 'host hears of Error: disk full']);
    expect(told.slice(3)).toEqual(['send b first', 'send b later', 'reply 7', 'forget b gone', 'deliver b']);
  });
});

describe('a write that takes its time', () => {
  /** A writer that ends its writes when it is told to. */
  function slow() {
    const ends: ((failure: { error: unknown } | null) => void)[] = [];
    return { ends, writer: (): Writer => ({ write: (_batch, ended) => ends.push(ended) }) };
  }

  test('holds everything back until it has ended, the next Ready too', () => {
    const { ends, writer } = slow();
    const { driver, told } = world([fullReady('a', {}), fullReady('b', null)], writer);
    driver.drain();
    expect(told).toEqual(['send a first']);
    expect(driver.isWriting).toBe(true);
    expect(() => driver.drain()).toThrow('a core is drained only when its last write has ended');
    ends[0]!(null);
    expect(driver.isWriting).toBe(false);
    expect(told.at(-1)).toBe('deliver a');
    driver.drain();
    expect(told.at(-1)).toBe('deliver b');
  });

  test('ends once', () => {
    const { ends, writer } = slow();
    const { driver } = world([fullReady('a', {})], writer);
    driver.drain();
    ends[0]!(null);
    expect(() => ends[0]!(null)).toThrow('a write ends once');
  });

  test('has no sequel once the process is over', () => {
    const { ends, writer } = slow();
    const { driver, told } = world([fullReady('a', {}), fullReady('b', null)], writer);
    driver.drain();
    driver.stop();
    ends[0]!(null);
    driver.drain();
    expect(told).toEqual(['send a first']);
  });
});

test('a host that stops while a Ready is delivered is given no other', () => {
  const readys = [fullReady('a', null), fullReady('b', null)];
  const delivered: Ready[] = [];
  const driver: Driver<Ready> = new Driver({
    core: { ready: () => readys.shift() ?? null, persisted: () => undefined, writeFailed: () => undefined },
    writer: atOnce({ write: () => undefined }),
    transport: { send: () => undefined, reply: () => undefined, forget: () => undefined },
    nowMs: () => 0,
    deliver: (ready) => {
      delivered.push(ready);
      driver.stop();
    },
  });
  driver.drain();
  expect(delivered).toHaveLength(1);
  expect(readys).toHaveLength(1);
});
