/**
 * Builds the reference node on the real hashicorp/raft (bench/gonode) into the git-ignored .tools
 * folder. Run it as `bun bench/build-gonode.ts`; tests call `buildGoNode` themselves.
 */
import { join } from 'node:path';
import { GO_NODE_PATH } from '../tests/cluster/node-process.ts';
import { buildGoPackage, isBuilt, type GoPackage } from './go-package.ts';

const goNode: GoPackage = {
  source: join(import.meta.dirname, 'gonode'),
  path: GO_NODE_PATH,
  title: 'the node on hashicorp/raft',
};

/** Whether the built node is there and not older than its source. */
export function isGoNodeBuilt(): boolean {
  return isBuilt(goNode);
}

/** Builds unless that was done; returns null, or a sentence that says why it cannot be built here. */
export function buildGoNode(): Promise<string | null> {
  return buildGoPackage(goNode);
}

if (import.meta.main) {
  const failure = await buildGoNode();
  console.log(failure ?? `built ${GO_NODE_PATH}`);
  if (failure !== null) process.exitCode = 1;
}
