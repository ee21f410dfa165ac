/**
 * op-conductor's own tests against three conductors of ours, with real op-nodes, op-geths and op-batcher. Skipped unless
 * OP_NODE_BIN and OP_GETH_BIN name op-node and op-geth; the tests are compiled with Go, once.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { cases, clusters, type Cluster } from '../../bench/upstream/cases.ts';
import { playCase, type Programs } from '../../bench/upstream/play.ts';
import { upstreamPrograms } from '../../bench/upstream/upstream.ts';

const BUILD_MS_MAX = 30 * 60_000;
const TEST_MS_MAX = 8 * 60_000;

const isNamed = [process.env['OP_NODE_BIN'], process.env['OP_GETH_BIN']].every((path) => (path ?? '') !== '');
const ours = clusters.find(({ members }) => members.every((side) => side === 'bun')) as Cluster;
let programs: Programs | { readonly missing: string };

beforeAll(async () => {
  programs = isNamed
    ? await upstreamPrograms()
    : { missing: 'OP_NODE_BIN and OP_GETH_BIN name no op-node and op-geth' };
}, BUILD_MS_MAX);

describe('three of ours pass what op-conductor demands of itself', () => {
  test.for(cases)('$test', { timeout: TEST_MS_MAX }, async (one, context) => {
    if ('missing' in programs) return context.skip(programs.missing);
    const folder = mkdtempSync(join(tmpdir(), 'upstream-'));
    using _ = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
    const { outcomes, log } = await playCase(one, ours, programs, folder);
    expect(
      outcomes.filter(({ isPassed }) => !isPassed),
      log,
    ).toEqual([]);
  });
});
