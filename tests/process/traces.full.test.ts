/**
 * Traces of a whole development cluster, through a real OpenTelemetry collector: of commits, of a handover, and of the
 * failover when the leader's conductor is killed. With CONDUCTOR_DOCS_RECORD=1 a commit and
 * the failover are kept for the page.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildGoPackage } from '../../bench/go-package.ts';
import type { KeptSpan } from '../../site/engine/generated/conductor-traces.ts';
import { waitFor } from '../cluster/wait.ts';
import {
  collectorPath,
  collectorSource,
  startCollector,
  type Collector,
  type ReceivedSpan,
} from './collector/collector.ts';
import { DevnetProcess, freeOffset } from './devnet-process.ts';

const traceMsMax = 60_000;
const kept = join(import.meta.dirname, '../../content/data/conductor-traces.json');

/** A trace that has its root; the spans of one server come together or in the next batch. */
interface Tree extends KeptSpan {
  readonly children: readonly Tree[];
  readonly attributes: Readonly<Record<string, string>>;
  readonly error: string | null;
}

const missing = await buildGoPackage({
  ...{ source: collectorSource, path: collectorPath },
  title: 'the OpenTelemetry collector',
});
let collector: Collector;
let devnet: DevnetProcess | null = null;

beforeEach(async (context) => {
  context.skip(missing !== null, missing ?? '');
  collector = await startCollector();
});
afterEach(async () => {
  devnet?.kill('SIGTERM');
  await devnet?.ended();
  devnet = null;
  await collector?.stop();
});

const childrenOf = (tree: Tree, name: string): string[] =>
  tree.children.find((child) => child.name === name)?.children.map((child) => child.name) ?? [];
const namesOf = (tree: Tree): string[] => tree.children.map(({ name }) => name);

/** The first trace with this root whose spans are what is wanted. */
function received(name: string, isWanted: (tree: Tree) => boolean): Promise<Tree> {
  return waitFor(`a trace ${name}`, traceMsMax, () => {
    const roots = collector.spans.filter((span) => span.name === name && (span.parentSpanId ?? '') === '');
    return roots.map((root) => treeOf(root, root, collector.spans)).find(isWanted) ?? null;
  });
}

function treeOf(span: ReceivedSpan, root: ReceivedSpan, all: readonly ReceivedSpan[]): Tree {
  const ms = (nanos: string): number => Number(BigInt(nanos) - BigInt(root.startTimeUnixNano)) / 1e6;
  const startMs = ms(span.startTimeUnixNano);
  const own = all.filter((one) => one.traceId === span.traceId && one.parentSpanId === span.spanId);
  const attributes = (span.attributes ?? []).map(({ key, value }) => [key, String(Object.values(value)[0])] as const);
  return {
    name: span.name,
    startMs,
    ms: ms(span.endTimeUnixNano) - startMs,
    attributes: Object.fromEntries(attributes),
    error: span.status?.code === 2 ? (span.status.message ?? '') : null,
    children: own.map((child) => treeOf(child, root, all)),
  };
}

const keep = ({ name, startMs, ms, children }: Tree): KeptSpan => ({
  name,
  startMs: Number(startMs.toFixed(2)),
  ms: Number(ms.toFixed(2)),
  children: children.map(keep),
});

test('a commit, a failover and a handover are received by a collector', async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_BSP_SCHEDULE_DELAY: '200' };
  devnet = new DevnetProcess([], freeOffset(), { env });
  await devnet.ready();
  const isWhole = (tree: Tree): boolean =>
    tree.error === null && childrenOf(tree, 'replicate').length === 2 && namesOf(tree).includes('validate');
  const commit = await received('conductor_commitUnsafePayload', isWhole);
  expect(namesOf(commit)).toEqual(['receive', 'parse', 'hash', 'validate', 'append', 'replicate', 'commit', 'answer']);
  expect(childrenOf(commit, 'validate')).toEqual(['validate at the own client']);
  expect(Number(commit.attributes['block.number'])).toBeGreaterThan(0);
  const { ms } = commit;
  for (const { startMs } of commit.children) expect(startMs >= 0 && startMs <= ms).toBe(true);

  const old = await devnet.leader();
  const { id } = devnet.nodes[old]!;
  await devnet.conductor(old, 'conductor_transferLeader');
  const isIts = (tree: Tree): boolean => tree.attributes['conductor.server'] === id && tree.error === null;
  const handover = await received('handover', isIts);
  // An operator's transfer is no order of the loop, whose order is then to stop the sequencer.
  expect(namesOf(handover)).toContain('stop');

  const dead = await devnet.leader();
  const head = await devnet.head(dead);
  const pid = devnet.childWith('--rpc.port', devnet.nodes[dead]!.ports.conductorRpc);
  process.kill(pid, 'SIGKILL');
  const after = (tree: Tree): boolean => {
    const first = tree.children.find(({ name }) => name === 'first block');
    return tree.error === null && Number(first?.attributes['block.number'] ?? 0) > head.number;
  };
  const failover = await received('failover', after);
  expect(namesOf(failover)).toEqual(['elect', 'confirm', 'catch up', 'start sequencer', 'first block']);

  if (process.env['CONDUCTOR_DOCS_RECORD'] === '1') {
    const source =
      'Received by an OpenTelemetry collector from a development cluster (tests/process/traces.full.test.ts).';
    const traces = { commit: keep(commit), failover: keep(failover) };
    writeFileSync(kept, `${JSON.stringify({ source, traces }, null, 2)}\n`);
  }
});

test('a trace costs less than half a percent of a processor at a block a second', () => {
  const script = join(collectorSource, 'trace-cost.ts');
  const { stdout, exitCode } = Bun.spawnSync([process.execPath, script, collector.endpoint, '100']);
  expect(exitCode).toBe(0);
  const cost = JSON.parse(stdout.toString()) as { readonly microsPerTrace: number; readonly lost: number };
  expect(cost.lost).toBe(0);
  expect(cost.microsPerTrace).toBeLessThan(0.005 * 1_000_000);
});
