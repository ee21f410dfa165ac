/**
 * The files of the page and the texts of the runbook, in one file that is part of the binary. A checkout makes it when
 * it is first needed and whenever a source of it has changed (site/console/build.ts), which takes some seconds.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '#conductor/core/errors';

/** Name of the file without its ending. */
const packName = 'console';

export interface PageFile {
  readonly type: string;
  readonly gzip: Uint8Array<ArrayBuffer>;
  /** Its name changes with its content. */
  readonly isHashed: boolean;
}

export interface ConsolePack {
  /** By path without a slash before it. */
  readonly files: ReadonlyMap<string, PageFile>;
  /** Markdown of each section of the runbook, by its name. */
  readonly runbook: Readonly<Record<string, string>>;
}

interface PackText {
  readonly files: Readonly<
    Record<string, { readonly type: string; readonly gzip: string; readonly isHashed: boolean }>
  >;
  readonly runbook: Readonly<Record<string, string>>;
}

/** Reads it; throws StartupError where a checkout cannot make it. */
export async function loadConsolePack(): Promise<ConsolePack> {
  const { files, runbook } = JSON.parse(await packText()) as PackText;
  const read = Object.entries(files).map(([path, { type, gzip, isHashed }]): [string, PageFile] => {
    return [path, { type, isHashed, gzip: Uint8Array.fromBase64(gzip) }];
  });
  return { files: new Map(read), runbook };
}

async function packText(): Promise<string> {
  const embedded = Bun.embeddedFiles.find((file) => (file as File).name.startsWith(packName));
  if (embedded !== undefined) return embedded.text();
  const root = join(import.meta.dirname, '..', '..');
  const script = join(root, 'site', 'console', 'build.ts');
  if (!existsSync(script)) throw new StartupError('this binary was built without the page of the console');
  // The build is over before the last tier of the JIT repays its compiling.
  const build = Bun.spawn([process.execPath, script], {
    cwd: root,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, BUN_JSC_useFTLJIT: '0' },
  });
  const [path, message, code] = await Promise.all([
    new Response(build.stdout).text(),
    new Response(build.stderr).text(),
    build.exited,
  ]);
  if (code !== 0) throw new StartupError(`the page of the console cannot be built: ${message.trim()}`);
  return readFileSync(path.trim(), 'utf8');
}
