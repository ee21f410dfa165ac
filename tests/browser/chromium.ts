/**
 * A headless Chromium for tests that look at pages, from npm packages alone. It listens on a pipe from this process
 * (playwright's default) and not on a port: when this process is gone, however it ended, the pipe closes and Chromium
 * ends by itself with all its processes.
 */
import { spawnSync } from 'node:child_process';
import { chromium, type Browser } from 'playwright-core';
import { chromiumFiles, type ChromiumFiles } from './chromium-files.ts';

/** The time of a loaded machine; an unloaded one takes 0.1 s. */
const LAUNCH_MS_MAX = 60_000;
const PROBE_MS_MAX = 30_000;

/** Opens one, or returns a sentence that says why none runs here. The caller closes it. */
export async function openBrowser(): Promise<Browser | string> {
  const found = await runnableChromium();
  if (typeof found === 'string') return found;
  return chromium.launch({ ...found, chromiumSandbox: false, timeout: LAUNCH_MS_MAX });
}

export interface RunnableChromium {
  readonly executablePath: string;
  /** Everything that Chromium sees of the environment. */
  readonly env: Record<string, string>;
}

/** The executable with the environment that it needs, or a sentence that says why it does not run here. */
export async function runnableChromium(): Promise<RunnableChromium | string> {
  const machine = `${process.platform}-${process.arch}`;
  if (machine !== 'linux-x64') return `the Chromium for tests is made for linux-x64, and this is ${machine}`;
  const files = await chromiumFiles();
  let complaint = '';
  // The system's own libraries first: ours need a glibc that may be newer than the system's.
  for (const libraries of ['', files.libraries]) {
    const env = environment(files, libraries);
    const probe = spawnSync(files.executable, ['--version'], { env, encoding: 'utf8', timeout: PROBE_MS_MAX });
    if (probe.status === 0) return { executablePath: files.executable, env };
    complaint = (probe.error?.message ?? probe.stderr).trim();
  }
  return `the Chromium for tests does not start here: ${complaint}`;
}

function environment(files: ChromiumFiles, libraries: string): Record<string, string> {
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const paths = [libraries, process.env['LD_LIBRARY_PATH'] ?? ''].filter((path) => path !== '');
  return {
    ...Object.fromEntries(inherited),
    ...(paths.length === 0 ? {} : { LD_LIBRARY_PATH: paths.join(':') }),
    FONTCONFIG_FILE: files.fontsConfiguration,
    // Pages see one time zone and one language everywhere.
    TZ: 'UTC',
    LANG: 'en_US.UTF-8',
  };
}
