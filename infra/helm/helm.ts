/**
 * helm, which the full test asks: built once with Go, in the version of testdata/tools/go.mod, into the git-ignored .tools.
 */
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const modules = join(import.meta.dirname, 'testdata/tools');
const complaintLength = 800;

/** The chart's folder. */
export const chart = join(import.meta.dirname, 'conductor');

/** Path of helm, built if need be; or why it is not there. */
export async function needHelm(): Promise<{ readonly path: string } | { readonly missing: string }> {
  const version = /helm\.sh\/helm\/v3 (v[\d.]+)/.exec(readFileSync(join(modules, 'go.mod'), 'utf8'))![1]!;
  const folder = join(import.meta.dirname, '../../.tools');
  const path = join(folder, `helm-${version}`);
  if (existsSync(path)) return { path };
  if (Bun.which('go') === null) return { missing: 'Go is not installed, so helm cannot be built' };
  mkdirSync(folder, { recursive: true });
  const fresh = `${path}.${process.pid}`;
  const words = [
    'go',
    'build',
    '-mod=readonly',
    '-trimpath',
    '-buildvcs=false',
    '-o',
    fresh,
    'helm.sh/helm/v3/cmd/helm',
  ];
  const env = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' };
  const child = Bun.spawn(['nice', '-n', '10', ...words], {
    cwd: modules,
    env,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const [complaints, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code !== 0) return { missing: `helm could not be built: ${complaints.slice(-complaintLength)}` };
  renameSync(fresh, path);
  return { path };
}
