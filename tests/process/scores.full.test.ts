/**
 * Lighthouse on the site as the edge serves it, the median of five runs as on a phone: the goals that the site is held
 * to. The scores are printed.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { useEdge } from '../browser/edge/running-edge.ts';
import { SHIFT_MAX } from '../browser/layout-shift.ts';
import { lighthouseReport } from '../browser/lighthouse.ts';
import { BUILD_MS_MAX, siteFolder } from '../browser/site-folder.ts';

const GOALS = { accessibility: 100, bestPractices: 100, seo: 100 } as const;
const PERFORMANCE_MIN = 98;
const BLOCKING_MS_MAX = 50;
/** Five runs on a machine that has other things to do. */
const PAGE_MS_MAX = 600_000;

const pages = {
  home: '/',
  Conductor: '/builders/chain-operators/tools/op-conductor',
  'a reference page': '/chain/addresses',
  'the fee calculator': '/builders/tools/fee-calculator',
  'an index': '/builders/tools',
  'a concept': '/stack/components',
  'a tutorial': '/builders/app-developers/tutorials/cross-dom-bridge-eth',
  'a notice': '/builders/notices/holocene-changes',
  methods: '/conductor/rpc',
  'a runbook': '/conductor/runbooks/sequencer',
};

describe('Lighthouse', { timeout: PAGE_MS_MAX }, () => {
  let folder = '';
  beforeAll(() => {
    folder = siteFolder();
  }, BUILD_MS_MAX);
  const edge = useEdge(() => folder, BUILD_MS_MAX);

  it.for(Object.entries(pages))('finds nothing to complain of in %s', async ([name, path], context) => {
    const report = await lighthouseReport(new URL(path, edge.url).href);
    if (typeof report === 'string') return context.skip(report);
    console.log(`Lighthouse on ${name}: ${JSON.stringify(report)}`);
    expect(report).toMatchObject(GOALS);
    expect(report.cls).toBeLessThanOrEqual(SHIFT_MAX);
    expect(report.performance).toBeGreaterThanOrEqual(PERFORMANCE_MIN);
    expect(report.tbtMs).toBeLessThanOrEqual(BLOCKING_MS_MAX);
  });
});
