/**
 * Runs a command of a page as it stands, under bash, with the cast of node_modules on the path and long sleeps cut
 * short, and collects what a terminal would show: standard output and errors in the order in which they come.
 */
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const CAST_PACKAGES = join(import.meta.dirname, '../../node_modules/@foundry-rs');
const PLATFORMS: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
/** A grace period that readers wait for is cut to ten seconds: a test cluster shows no more in half a minute. */
const SHORT_SLEEP = 'sleep() { case $1 in [1-9][0-9]*) command sleep 10 ;; *) command sleep "$1" ;; esac; }';
/** Longest run of one command, milliseconds. */
const COMMAND_MS_MAX = 60_000;

/** Folder of the cast for this machine; null where the package has none. */
function castFolder(): string | null {
  const name = `cast-${process.platform}-${PLATFORMS[process.arch] ?? process.arch}`;
  const folder = join(CAST_PACKAGES, name, 'bin');
  return existsSync(folder) && readdirSync(folder).includes('cast') ? folder : null;
}

/** Why commands cannot be run here; null when they can. */
export function whyNoShell(alsoNeeded: readonly string[] = []): string | null {
  for (const program of ['bash', 'curl', 'sed', 'grep', ...alsoNeeded])
    if (Bun.which(program) === null) return `${program} is not installed, so the commands of the page cannot be run`;
  return castFolder() === null ? `@foundry-rs/cast has no binary for ${process.platform} ${process.arch}` : null;
}

/** Where a command runs. */
export interface CommandPlace {
  /** HTTP requests go through here. */
  readonly proxyUrl?: string;
  /** Its working directory; without it an empty one of its own. */
  readonly folder?: string;
  /** Folder with further programs. */
  readonly programs?: string;
}

/** Runs it to its end. Throws when it takes too long; an exit code is no error, its output says enough. */
export async function runCommand(command: string, place: CommandPlace): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'page-command-'));
  const path = join(folder, 'output');
  const output = openSync(path, 'a');
  try {
    const child = Bun.spawn(['bash', '-c', `${SHORT_SLEEP}\n${command}`], {
      cwd: place.folder ?? folder,
      stdin: 'ignore',
      stdout: output,
      stderr: output,
      env: environment(place),
      timeout: COMMAND_MS_MAX,
    });
    await child.exited;
    const text = readFileSync(path, 'utf8');
    if (child.signalCode !== null) throw new Error(`it took more than ${COMMAND_MS_MAX} ms and had printed: ${text}`);
    return text;
  } finally {
    closeSync(output);
    rmSync(folder, { recursive: true, force: true });
  }
}

function environment({ proxyUrl = '', programs = '' }: CommandPlace): Record<string, string> {
  const paths = [programs, castFolder() ?? '', process.env['PATH'] ?? ''].filter((path) => path !== '');
  // Only what a shell needs: settings of whoever runs the tests must not reach the commands.
  return { PATH: paths.join(delimiter), HOME: tmpdir(), LC_ALL: 'C', http_proxy: proxyUrl, NO_COLOR: '1' };
}
