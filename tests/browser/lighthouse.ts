/**
 * Lighthouse over a page, in a Chromium of its own that nothing else looks into, several times: the numbers of one run
 * depend on what else the machine does. The audits run in a process of their own (lighthouse-run.ts), because the
 * page's server is often in this one, and would answer late.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../cluster/wait.ts';
import { runnableChromium, type RunnableChromium } from './chromium.ts';

export interface LighthouseScores {
  /** 0 to 100. */
  readonly performance: number;
  readonly accessibility: number;
  readonly bestPractices: number;
  readonly seo: number;
  /** Cumulative layout shift; 0 when nothing moved. */
  readonly cls: number;
  readonly tbtMs: number;
}

export interface LighthouseReport extends LighthouseScores {
  /** Audits that cost points in some run, each as `id: title`. */
  readonly complaints: readonly string[];
}

/** `mobile`: a slow phone on a slow network, simulated; Lighthouse's own default, and ours. */
export type FormFactor = 'mobile' | 'desktop';

export interface LighthouseOptions {
  /** Odd; 5 unless it is given. */
  readonly runs?: number;
  readonly formFactor?: FormFactor;
}

const RUNS = 5;
const OPEN_MS_MAX = 60_000;
const RUN_MS_MAX = 180_000;
/** Nothing but the page: no first steps, no updates, no extensions, no fetching for later. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--disable-component-update',
  '--disable-background-networking',
  '--disable-sync',
  '--disable-default-apps',
  '--no-first-run',
  '--no-default-browser-check',
  '--mute-audio',
  // The port is for Lighthouse. The pipe says nothing, and closes when this process ends; Chromium then ends, too.
  '--remote-debugging-port=0',
  '--remote-debugging-pipe',
];

/**
 * The median of each number over all runs, or a sentence that says why Chromium does not run here. Takes about 10 s
 * for each run. Throws when the page cannot be loaded.
 */
export async function lighthouseReport(
  url: string,
  { runs = RUNS, formFactor = 'mobile' }: LighthouseOptions = {},
): Promise<LighthouseReport | string> {
  const found = await runnableChromium();
  if (typeof found === 'string') return found;
  const reports: LighthouseReport[] = [];
  for (let run = 0; run < runs; run++) reports.push(await runOnce(found, url, formFactor));
  const median = (pick: (report: LighthouseReport) => number): number =>
    reports.map(pick).sort((a, b) => a - b)[Math.floor(runs / 2)]!;
  return {
    performance: median((report) => report.performance),
    accessibility: median((report) => report.accessibility),
    bestPractices: median((report) => report.bestPractices),
    seo: median((report) => report.seo),
    cls: median((report) => report.cls),
    tbtMs: median((report) => report.tbtMs),
    complaints: [...new Set(reports.flatMap(({ complaints }) => complaints))],
  };
}

async function runOnce(
  { executablePath, env }: RunnableChromium,
  url: string,
  formFactor: FormFactor,
): Promise<LighthouseReport> {
  const profile = mkdtempSync(join(tmpdir(), 'lighthouse-'));
  const browser = Bun.spawn([executablePath, ...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], {
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  try {
    const port = await waitFor('Chromium to name its port', OPEN_MS_MAX, () => {
      const [first] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
      return first === undefined || first === '' ? null : first;
    });
    return await audit(url, port, formFactor);
  } finally {
    browser.kill();
    await browser.exited;
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function audit(url: string, port: string, formFactor: FormFactor): Promise<LighthouseReport> {
  const command = [process.execPath, join(import.meta.dirname, 'lighthouse-run.ts'), url, port, formFactor];
  const auditor = Bun.spawn(command, { stdio: ['ignore', 'pipe', 'pipe'], timeout: RUN_MS_MAX });
  const [output, complaint] = await Promise.all([auditor.stdout.text(), auditor.stderr.text(), auditor.exited]);
  if (auditor.exitCode !== 0) throw new Error(`Lighthouse did not get through ${url}: ${complaint.trim()}`);
  return JSON.parse(output) as LighthouseReport;
}
