import { describe, expect, test } from 'vitest';
import type { CallResult } from '#conductor/core/node/calls';
import { StartupError } from '#conductor/core/errors';
import { validationPolicies } from '#conductor/core/rpc/validation';
import { askNodes, warnOfUnexecutedBlocks } from './startup.ts';

const refused: CallResult = { kind: 'failed', reason: 'refused', message: 'connection refused' };
const ok = (value: unknown): CallResult => ({ kind: 'result', value });
const missing: CallResult = {
  kind: 'error',
  code: -32601,
  message: 'the method admin_conductorEnabled does not exist/is not available',
};

function world(answers: Readonly<Record<string, readonly CallResult[]>>) {
  const left = new Map(Object.entries(answers).map(([method, list]) => [method, [...list]]));
  const lines: string[] = [];
  const pauses: number[] = [];
  const asked = askNodes({
    logger: { log: (_, message) => void lines.push(message) },
    execute: async ({ method }) => {
      const list = left.get(method) ?? [];
      return (list.length > 1 ? list.shift() : list[0]) ?? ok({});
    },
    sleep: async (ms) => void pauses.push(ms),
  });
  return { asked, lines, pauses };
}

describe('asking the nodes at start', () => {
  test('a node that comes up later is waited for, with a progress line per try', async () => {
    const { asked, lines, pauses } = world({
      admin_conductorEnabled: [refused, refused, ok(true)],
      admin_sequencerActive: [ok(true)],
    });
    expect(await asked).toBe(true);
    expect(lines.filter((line) => line === 'waiting for the node')).toHaveLength(2);
    expect(pauses).toEqual([250, 500]);
  });

  test('sixty tries, then an error that says who did not answer', async () => {
    const { asked, pauses } = world({ admin_conductorEnabled: [refused] });
    await expect(asked).rejects.toThrow(
      /the node did not answer admin_conductorEnabled in 60 tries: connection refused/,
    );
    expect(pauses).toHaveLength(59);
    expect(pauses.at(-1)).toBe(5000);
  });

  test('an execution client that hangs or refuses keeps no server from its vote', async () => {
    const hanging = { admin_conductorEnabled: ok(true), admin_sequencerActive: ok(false) } as const;
    const active = askNodes({
      logger: { log: () => undefined },
      execute: ({ method }) =>
        method in hanging ? Promise.resolve(hanging[method as keyof typeof hanging]) : new Promise(() => undefined),
      sleep: () => Promise.reject(new Error('nothing is waited for')),
    });
    expect(await active).toBe(false);
    const { asked, lines, pauses } = world({
      admin_conductorEnabled: [ok(true)],
      admin_sequencerActive: [ok(false)],
      eth_getBlockByNumber: [refused],
    });
    expect(await asked).toBe(false);
    expect(lines).toContain('the execution client does not answer: until it does, this server cannot take over');
    expect(pauses).toEqual([]);
  });

  test('a node without the method counts as enabled; one that says no is fatal', async () => {
    expect(await world({ admin_conductorEnabled: [missing], admin_sequencerActive: [ok(false)] }).asked).toBe(false);
    const denied = world({ admin_conductorEnabled: [ok(false)] }).asked;
    await expect(denied).rejects.toThrow(StartupError);
    await expect(denied).rejects.toThrow(/conductor is not enabled on sequencer/);
  });

  test('an error, as of a proxy that has no backend yet, is tried again like silence', async () => {
    const noBackend: CallResult = { kind: 'error', code: -32011, message: 'no backends available' };
    const { asked, lines } = world({
      admin_conductorEnabled: [noBackend, noBackend, ok(true)],
      admin_sequencerActive: [ok(true)],
    });
    expect(await asked).toBe(true);
    expect(lines.filter((line) => line === 'waiting for the node')).toHaveLength(2);
    const { asked: inVain, pauses } = world({ admin_conductorEnabled: [noBackend] });
    await expect(inVain).rejects.toThrow(/admin_conductorEnabled in 60 tries: no backends available/);
    expect(pauses).toHaveLength(59);
  });

  test('a method that is unknown by its text alone counts as enabled, too', async () => {
    const unknown: CallResult = { kind: 'error', code: -32000, message: 'Method not found' };
    expect(await world({ admin_conductorEnabled: [unknown], admin_sequencerActive: [ok(false)] }).asked).toBe(false);
  });

  test('a node that refuses to say whether it sequences is fatal', async () => {
    const error: CallResult = { kind: 'error', code: -32000, message: 'sequencer is not enabled' };
    const { asked } = world({ admin_conductorEnabled: [ok(true)], admin_sequencerActive: [error] });
    await expect(asked).rejects.toThrow(/failed to get sequencer active status: sequencer is not enabled$/);
  });

  test('a node without admin methods is fatal, with what switches them on', async () => {
    const unknown: CallResult = { kind: 'error', code: -32601, message: 'Method not found' };
    const { asked } = world({ admin_conductorEnabled: [unknown], admin_sequencerActive: [unknown] });
    await expect(asked).rejects.toThrow(
      /failed to get sequencer active status: Method not found: .*--rpc\.enable-admin/,
    );
  });
});

describe('a client that executes no block that it built itself', () => {
  const warnings = async (validation: (typeof validationPolicies)[number], version: CallResult): Promise<string[]> => {
    const lines: string[] = [];
    const logger = {
      log: (level: string, message: string, fields?: object) =>
        void lines.push(`${level} ${message} ${JSON.stringify(fields)}`),
    };
    await warnOfUnexecutedBlocks(
      { logger, execute: async ({ method }) => (method === 'web3_clientVersion' ? version : missing) },
      validation,
    );
    return lines;
  };

  test('is told once, with the setting for it, where the leader’s client alone is asked', async () => {
    const reth = ok('op-reth/v2.4.0-1a2b3c4d/x86_64-unknown-linux-gnu');
    expect(await warnings('leader', reth)).toEqual([
      expect.stringMatching(/^warn .*--consensus\.validate=quorum.*"client":"op-reth\/v2\.4\.0/),
    ]);
    for (const validation of validationPolicies)
      if (validation !== 'leader') expect(await warnings(validation, reth)).toEqual([]);
  });

  test('nothing is said of one with another name', async () => {
    expect(await warnings('leader', ok('Geth/v1.101702.3-stable'))).toEqual([]);
  });

  test.each([[ok(null)], [ok({})], [missing], [refused]])(
    'one that answers %j, as behind rollup-boost, cannot be told from it',
    async (answer) => {
      expect(await warnings('leader', answer)).toEqual([
        expect.stringMatching(/^warn cannot tell .*--consensus\.validate=quorum/),
      ]);
      expect(await warnings('quorum', answer)).toEqual([]);
    },
  );
});
