/**
 * Brings programs that are compared with, from the Go module proxy into the git-ignored .tools folder: k6, and the
 * programs of the OP Stack at their released versions. Each is built once; where that cannot be done there is a
 * sentence that says why, and whoever needs it skips.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '..');
const tools = join(repository, '.tools');
const MESSAGE_CHARACTERS_MAX = 800;

export type Found = { readonly path: string } | { readonly missing: string };

export interface GoProgram {
  /** Its file name in .tools, version included. */
  readonly name: string;
  /** "module@version". */
  readonly module: string;
  /** Package of its main function, relative to the module; of tests, where those are what is built. */
  readonly package: string;
  /** Builds the package's tests as a program; false by default. */
  readonly isTest?: boolean;
  /** Changes to the module's files before it is built; the folder is a writable copy. */
  readonly prepare?: (source: string) => Promise<void>;
}

/** Where a program is once it has been built. */
export function goProgramPath({ name }: Pick<GoProgram, 'name'>): string {
  return join(tools, name);
}

/** Path of a program in .tools that was built before, or null. */
export function findGoProgram(program: Pick<GoProgram, 'name'>): string | null {
  const path = goProgramPath(program);
  return existsSync(path) ? path : null;
}

/** The same after building it where that is needed, which takes minutes and is said. */
export async function needGoProgram(program: GoProgram): Promise<Found> {
  const found = findGoProgram(program);
  if (found !== null) return { path: found };
  if (Bun.which('go') === null) return { missing: `Go is not installed, so ${program.module} cannot be built` };
  const startedMs = performance.now();
  const work = join(repository, '.cache/go-source');
  mkdirSync(work, { recursive: true });
  mkdirSync(tools, { recursive: true });
  const folder = mkdtempSync(join(work, 'build-'));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder);
  try {
    console.log(`building ${program.module}, once, into .tools: getting its source from the Go module proxy …`);
    const source = join(folder, 'source');
    await copyModule(program.module, source);
    await program.prepare?.(source);
    console.log(`building ${program.module}: compiling, which takes minutes the first time …`);
    const fresh = join(folder, 'program');
    const verb = program.isTest === true ? ['test', '-c'] : ['build'];
    await go([...verb, '-trimpath', '-buildvcs=false', '-o', fresh, program.package], source);
    const path = goProgramPath(program);
    renameSync(fresh, path);
    console.log(`built .tools/${program.name} in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
    return { path };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { missing: `${program.module} could not be built: ${message}` };
  } finally {
    process.off('exit', removeFolder);
    removeFolder();
  }
}

/** A writable copy of a module: the cache's own files are read-only, and building in there is refused. */
async function copyModule(module: string, target: string): Promise<void> {
  cpSync(await moduleFolder(module), target, { recursive: true });
  const made = Bun.spawnSync(['chmod', '-R', 'u+w', target]);
  if (made.exitCode !== 0) throw new Error(`the copy of ${module} cannot be made writable: ${made.stderr.toString()}`);
}

/** Folder of a module in Go's cache, after downloading it where it is not there. */
export async function moduleFolder(module: string): Promise<string> {
  // Says what went wrong in its answer, too.
  const { output, complaints } = await run(['mod', 'download', '-json', module], tools);
  const answer = output.trim().startsWith('{') ? (JSON.parse(output) as { Dir?: string; Error?: string }) : {};
  if (answer.Dir === undefined) throw new Error(answer.Error ?? endOf(complaints));
  return answer.Dir;
}

/** Runs go; throws with the end of its complaints. */
async function go(words: readonly string[], directory: string): Promise<void> {
  const { code, output, complaints } = await run(words, directory);
  if (code !== 0) throw new Error(endOf(complaints.trim() === '' ? output : complaints));
}

async function run(
  words: readonly string[],
  directory: string,
): Promise<{ readonly code: number; readonly output: string; readonly complaints: string }> {
  const child = Bun.spawn(['nice', '-n', '10', 'go', ...words], {
    cwd: directory,
    env: { ...process.env, GOFLAGS: '-mod=mod' },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const stop = (): void => child.kill();
  process.once('exit', stop);
  const [output, complaints, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  process.off('exit', stop);
  return { code, output, complaints };
}

function endOf(text: string): string {
  return text.trim().slice(-MESSAGE_CHARACTERS_MAX);
}
