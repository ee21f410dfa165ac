/** A run told for people: what happened when, the law that was broken, and the string that replays it. */
import { storyOf } from './faults.ts';
import { execute, type RunReport } from './run.ts';
import { runToText, type Run } from './run-value.ts';
import type { Finding } from './seek.ts';

/** Lines told after the law was broken. */
const LINES_AFTER = 4;

export function storyOfRun(run: Run, { violation, hash, judge, published }: RunReport): string {
  const { moments } = judge;
  const brokenAt = moments.findIndex(({ text }) => text.startsWith('LAW BROKEN'));
  const told = brokenAt < 0 ? moments : moments.slice(0, brokenAt + 1 + LINES_AFTER);
  const lines = told.map(({ atMs, text }) => `${(atMs / 1000).toFixed(3).padStart(9)}  ${text}`);
  const verdict =
    violation === null
      ? `every law held; ${published} blocks were published`
      : `${violation.law} is broken: ${violation.message}`;
  return [...lines, '', verdict, `trace ${hash}`, runToText(run)].join('\n');
}

/** The shrunk run told, what it was made of, and how to see it again. */
export function storyOfFinding({ law, run, found, shrinkRuns }: Finding): string {
  return [
    `${law} is broken by a run of ${found.events.length} events, of which ${run.events.length} are needed (${shrinkRuns} runs tried):`,
    ...run.events.map((event) => `  + ${event.afterMs} ms  ${storyOf(event, run.configuration.servers)}`),
    '',
    storyOfRun(run, execute(run)),
    '',
    `replay with: npm run sim -- replay '${runToText(run)}'`,
    `as found:    npm run sim -- replay '${runToText(found)}'`,
  ].join('\n');
}
