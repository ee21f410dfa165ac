/**
 * Builds the reference node on the real hashicorp/raft (bench/gonode) into the git-ignored .tools
 * folder. Run it as `bun bench/build-gonode.ts`; tests call `buildGoNode` themselves.
 */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GO_NODE_PATH } from '../tests/cluster/node-process.ts';

const source = join(import.meta.dirname, 'gonode');

/** Whether the built node is there and not older than its source. */
export function isGoNodeBuilt(): boolean {
  if (!existsSync(GO_NODE_PATH)) return false;
  const built = statSync(GO_NODE_PATH).mtimeMs;
  return readdirSync(source).every((name) => statSync(join(source, name)).mtimeMs <= built);
}

/** Builds unless that was done; returns null, or a sentence that says why it cannot be built here. */
export async function buildGoNode(): Promise<string | null> {
  if (isGoNodeBuilt()) return null;
  if (Bun.which('go') === null) return 'Go is not installed, so the node on hashicorp/raft cannot be built';
  mkdirSync(dirname(GO_NODE_PATH), { recursive: true });
  const build = Bun.spawn(['go', 'build', '-trimpath', '-o', GO_NODE_PATH, '.'], {
    cwd: source,
    env: { ...process.env, CGO_ENABLED: '0' },
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const [message, code] = await Promise.all([new Response(build.stderr).text(), build.exited]);
  return code === 0 ? null : `building bench/gonode failed: ${message.trim().slice(-1000)}`;
}

if (import.meta.main) {
  const failure = await buildGoNode();
  console.log(failure ?? `built ${GO_NODE_PATH}`);
  if (failure !== null) process.exitCode = 1;
}
