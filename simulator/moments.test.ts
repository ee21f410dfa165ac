/** What pages link to as “watch this happen”: each run is carried out, breaks no law, and stands where the pages say. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { incidents } from './incidents.ts';
import { momentsOfAlerts, momentsOfScenarios, withoutMoment, type Moment } from './moments.ts';
import { Timekeeper } from './regressions/timekeeper.ts';
import { execute } from './run.ts';
import { runFromText, runToText } from './run-value.ts';
import { storyOfRun } from './story.ts';

const pages = join(import.meta.dirname, '..', 'content', 'pages', 'conductor');
const linkTo = ({ run }: Moment): string => `/builders/chain-operators/tools/op-conductor#run=${runToText(run)}`;
const typographic = (text: string): string => text.replaceAll("'", '’');

/** Carried out by incidents.test.ts. */
const known = new Set(Object.values(incidents).map(({ run }) => runToText(run)));
const others = new Map<string, readonly [name: string, moment: Moment]>();
for (const [name, moment] of Object.entries({ ...momentsOfScenarios, ...momentsOfAlerts })) {
  const text = runToText(moment.run);
  if (!known.has(text) && !others.has(text)) others.set(text, [name, moment]);
}

describe('a moment that can be watched', () => {
  it.each([...others.values()])(
    '%s: no law is broken, and the chain goes on in time',
    { timeout: 60_000 },
    (_, moment) => {
      const { run, gapMaxMs } = moment;
      expect(runFromText(runToText(run))).toEqual(run);
      const judge = new Timekeeper();
      const report = execute(run, { judge });
      expect(report.violation, storyOfRun(run, report)).toBeNull();
      expect(judge.longestGapMs).toBeGreaterThan(0);
      expect(judge.longestGapMs).toBeLessThanOrEqual(gapMaxMs);
    },
  );
});

describe('the pages', () => {
  it('of failures links each scenario that has a run to it, and no other', () => {
    const table = readFileSync(join(pages, 'failures.mdx'), 'utf8').split('\n');
    const linked = table.flatMap((line) => {
      const [, name = '', href = ''] = /^\| \[([^\]]+)\]\(([^)]+)\) \|/.exec(line) ?? [];
      return name === '' ? [] : [[typographic(name), href]];
    });
    const wanted = Object.entries(momentsOfScenarios).map(([name, moment]) => [name, linkTo(moment)]);
    expect(linked).toEqual(wanted);
  });

  it('of runbooks link each alert that has a run to it, and no other', () => {
    const folder = join(pages, 'runbooks');
    const sections = readdirSync(folder)
      .filter((name) => name.endsWith('.mdx'))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').split(/^## /m).slice(1));
    const linked = sections.flatMap((section) => {
      const [, href] = /^\[Watch this happen\]\(([^)]+)\) in the simulated cluster\.$/m.exec(section) ?? [];
      return href === undefined ? [] : [[section.split('\n')[0], href]];
    });
    const wanted = Object.entries(momentsOfAlerts).map(([name, moment]) => [name, linkTo(moment)]);
    expect(Object.fromEntries(linked)).toEqual(Object.fromEntries(wanted));
    expect(linked).toHaveLength(wanted.length);
  });

  it('have a run for every scenario and alert, or a reason why there is none', () => {
    const table = readFileSync(join(pages, 'failures.mdx'), 'utf8');
    const scenarios = [...table.matchAll(/^\| (?!What fails|---)\[?([^|\]]+?)\]?(?:\([^)]*\))? \|/gm)].map(
      ([, name = '']) => typographic(name),
    );
    const folder = join(pages, 'runbooks');
    const alerts = readdirSync(folder).flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/^## (Conductor\w+)$/gm)].map(([, alert = '']) => alert),
    );
    const told = [...scenarios, ...alerts];
    const known = { ...momentsOfScenarios, ...momentsOfAlerts };
    expect(told.filter((name) => name in known === name in withoutMoment)).toEqual([]);
    expect(Object.keys(withoutMoment).filter((name) => !told.includes(name))).toEqual([]);
  });
});
