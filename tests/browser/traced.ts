/**
 * What a page's main thread does while something happens, from a trace of Chromium, by the processor time of that thread:
 * a busy machine does not count.
 */
import type { Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly tid: number;
  readonly pid: number;
  /** Processor time of its thread, microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export interface Traced {
  /** That were drawn. */
  readonly frames: number;
  /** The longest task, and script for each frame, milliseconds. */
  readonly longestMs: number;
  readonly scriptMs: number;
}

export async function traced(page: Page, act: () => Promise<void>): Promise<Traced> {
  const session = await page.context().newCDPSession(page);
  const all: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => void all.push(...(value as unknown as TraceEvent[])));
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline', 'toplevel', 'disabled-by-default-devtools.timeline'] },
  });
  await act();
  await session.send('Tracing.end');
  await complete;
  const mains = all.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const events = all.filter(({ pid, tid }) => mains.some((one) => one.pid === pid && one.tid === tid));
  const msOf = (isIt: (name: string) => boolean): number[] =>
    events.flatMap(({ name, tdur }) => (isIt(name) && tdur !== undefined ? [tdur / 1000] : []));
  const tasks = msOf((name) => name.endsWith('RunTask'));
  const frames = events.filter(({ name }) => name === 'Commit').length;
  if (tasks.length === 0 || frames === 0) throw new Error('the trace holds no tasks or no frames of the page');
  const script = msOf((name) => name === 'FunctionCall' || name === 'EvaluateScript');
  return { frames, longestMs: Math.max(...tasks), scriptMs: script.reduce((sum, ms) => sum + ms, 0) / frames };
}
