/** One run of Lighthouse, in a process of its own: <url> <port of Chromium> <form factor>; prints a LighthouseReport. */
import lighthouse, { desktopConfig, type Result } from 'lighthouse';
import type { LighthouseReport } from './lighthouse.ts';

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const ELEMENTS_MAX = 5;
const [url = '', port = '', formFactor = 'mobile'] = process.argv.slice(2);

const ran = await lighthouse(
  url,
  { port: Number(port), logLevel: 'error', onlyCategories: [...CATEGORIES] },
  formFactor === 'desktop' ? desktopConfig : undefined,
);
if (ran === undefined) throw new Error('Lighthouse has no result');
if (ran.lhr.runtimeError !== undefined) throw new Error(ran.lhr.runtimeError.message);
console.log(JSON.stringify(reportOf(ran.lhr)));
process.exit(0);

function reportOf(result: Result): LighthouseReport {
  const score = (category: (typeof CATEGORIES)[number]): number =>
    Math.round((result.categories[category]?.score ?? 0) * 100);
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    seo: score('seo'),
    cls: measured(result, 'cumulative-layout-shift'),
    tbtMs: measured(result, 'total-blocking-time'),
    complaints: complaintsOf(result),
  };
}

function measured(result: Result, id: string): number {
  const value = result.audits[id]?.numericValue;
  if (value === undefined) throw new Error(`Lighthouse did not measure ${id}`);
  return value;
}

function complaintsOf(result: Result): string[] {
  const counted = Object.values(result.categories).flatMap(({ auditRefs }) =>
    auditRefs.filter(({ weight }) => weight > 0),
  );
  return counted.flatMap(({ id }) => {
    const audit = result.audits[id];
    const isFull =
      audit?.score === 1 || audit?.scoreDisplayMode === 'notApplicable' || audit?.scoreDisplayMode === 'manual';
    if (audit === undefined || isFull) return [];
    const told = [audit.displayValue, ...selectorsOf(audit.details)].filter((part) => part !== undefined);
    return [`${id}: ${audit.title}${told.length === 0 ? '' : ` (${told.join('; ')})`}`];
  });
}

/** The first elements that an audit complains of. */
function selectorsOf(details: Result['audits'][string]['details']): string[] {
  if (details === undefined || !('items' in details) || !Array.isArray(details.items)) return [];
  const nodes = details.items.map((item) =>
    'node' in item ? (item.node as { selector?: string }).selector : undefined,
  );
  return nodes.filter((selector) => selector !== undefined).slice(0, ELEMENTS_MAX);
}
