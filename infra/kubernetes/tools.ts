/**
 * Builds the programs that the full tests ask: kustomize, etcd and kube-apiserver, in the versions of
 * testdata/tools/go.mod, from the Go module proxy into .tools, once.
 */
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const packages = {
  kustomize: 'sigs.k8s.io/kustomize/kustomize/v5',
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
} as const;
const complaintLength = 800;
const modules = join(import.meta.dirname, 'testdata/tools');

/** Longest time a first build may take on a small machine that does much else, ms. */
export const toolBuildMsMax = 60 * 60_000;

/** Path of the program, built if need be; or why it is not there. */
export async function needTool(
  name: keyof typeof packages,
): Promise<{ readonly path: string } | { readonly missing: string }> {
  const version = /k8s\.io\/kubernetes (v[\d.]+)/.exec(readFileSync(join(modules, 'go.mod'), 'utf8'))![1]!;
  const folder = join(import.meta.dirname, `../../.tools/kubernetes-${version}`);
  const path = join(folder, name);
  if (existsSync(path)) return { path };
  if (Bun.which('go') === null) return { missing: `Go is not installed, so ${name} cannot be built` };
  mkdirSync(folder, { recursive: true });
  console.log(`building ${name}, once, into .tools: this may take a quarter of an hour …`);
  const fresh = `${path}.${process.pid}`;
  const words = ['go', 'build', '-mod=readonly', '-trimpath', '-buildvcs=false', '-o', fresh, packages[name]];
  const child = Bun.spawn(['nice', '-n', '10', ...words], {
    cwd: modules,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const [complaints, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code !== 0) return { missing: `${name} could not be built: ${complaints.slice(-complaintLength)}` };
  renameSync(fresh, path);
  return { path };
}
