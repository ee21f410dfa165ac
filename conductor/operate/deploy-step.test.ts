/** What a deployment that is taken back gives its rollback command. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { deployStep } from './deploy-step.ts';
import { Output } from './output.ts';
import { MemoryCluster } from './testing/memory-cluster.ts';

class Lines extends Output {
  readonly lines: string[] = [];

  override complain(text: string): void {
    this.lines.push(text.trim());
  }
}

const limits = { timeoutMs: null, isStopped: () => false, tell: () => undefined };

/** The program that the commands of a step are told: forwards, and where it is taken back. */
async function programs(back: { readonly variablesBack?: Readonly<Record<string, string>> }): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deploy-step-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const cluster = new MemoryCluster();
  const view = await cluster.observe();
  const output = new Lines(true);
  const command = 'echo "$PROGRAM"';
  const step = deployStep(
    {
      ...{ output, clusterFile: join(folder, 'conductor.toml'), variables: { PROGRAM: 'conductor' }, ...back },
      server: { ...cluster.config.servers[0]!, deploy: command, rollback: command },
      ...{ whyNot: () => null, asks: '', whyUnwell: () => null },
    },
    { isDone: () => false },
  );
  await step.execute(view, limits);
  await step.undo!.execute(view, limits);
  return output.lines;
}

test('a rollback command is told what the deployment was, or what is to run again where that is another', async () => {
  expect(await programs({})).toEqual(['conductor', 'conductor']);
  expect(await programs({ variablesBack: { PROGRAM: 'op-conductor' } })).toEqual(['conductor', 'op-conductor']);
});
