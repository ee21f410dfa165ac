/**
 * promtool, which reads rules as Prometheus does: from PATH, or built once with Go into the git-ignored .tools folder. It is
 * built inside of its module, since the module's own replacements keep `go install` from it, and without service discovery,
 * which rules have no use for. The first build takes minutes.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const promtoolModule = 'github.com/prometheus/prometheus@v0.315.0';
const repository = join(import.meta.dirname, '../..');
const built = join(repository, '.tools/promtool');

/** Its path, or a sentence that says why there is none. */
export async function needPromtool(): Promise<{ readonly path: string } | { readonly missing: string }> {
  const path = Bun.which('promtool') ?? (existsSync(built) ? built : null);
  if (path !== null) return { path };
  if (Bun.which('go') === null) return { missing: 'promtool is not on PATH, and without Go it cannot be built' };
  const download = await go(['mod', 'download', '-json', promtoolModule]);
  if (download.code !== 0) return { missing: `${promtoolModule} cannot be had: ${download.errors || download.output}` };
  const { Dir: source } = JSON.parse(download.output) as { readonly Dir: string };
  mkdirSync(join(repository, '.tools'), { recursive: true });
  const build = await go(['build', '-C', source, '-trimpath', '-tags', 'remove_all_sd', '-o', built, './cmd/promtool']);
  return build.code === 0 ? { path: built } : { missing: `building promtool failed: ${build.errors}` };
}

/** What promtool said of a command; `code` is 0 when it is content. */
export async function runPromtool(
  path: string,
  command: readonly string[],
): Promise<{ readonly code: number; readonly said: string }> {
  const { code, output, errors } = await run([path, ...command]);
  return { code, said: (output + errors).trim() };
}

function go(command: readonly string[]): ReturnType<typeof run> {
  return run(['go', ...command]);
}

async function run(
  command: string[],
): Promise<{ readonly code: number; readonly output: string; readonly errors: string }> {
  const env = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' };
  const child = Bun.spawn(command, { env, stdout: 'pipe', stderr: 'pipe' });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, output, errors: errors.trim().slice(-1000) };
}
