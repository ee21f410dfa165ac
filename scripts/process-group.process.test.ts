import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const DEADLINE_MS = 20_000;
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'process-group-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that runs two commands, each of which starts a grandchild that prints its pid and stays. */
function writeProgram(): string {
  const grandchild = 'console.log(`pid=${process.pid}`); setInterval(() => {}, 1000)';
  const child = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}], { stdio: 'inherit' })`;
  const program = join(folder, 'program.ts');
  writeFileSync(
    program,
    `import { endGroupOnSignals, runGroup } from ${JSON.stringify(join(import.meta.dirname, 'process-group.ts'))};
    endGroupOnSignals();
    const options = { cwd: ${JSON.stringify(folder)}, env: process.env };
    for (const turn of ['first', 'second']) {
      console.log('turn=' + turn);
      await runGroup(process.execPath, ['-e', ${JSON.stringify(child)}], options);
    }`,
  );
  return program;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends what a command started, starts no other command, and gives the signal’s exit code',
  { timeout: DEADLINE_MS },
  async (signal) => {
    const program = spawn(process.execPath, [writeProgram()], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    const exited = new Promise<number | null>((resolve) => program.on('close', resolve));
    await new Promise<void>((resolve) => {
      program.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (/pid=\d+\n/.test(output)) resolve();
      });
    });
    program.kill(signal);
    expect(await exited).toBe(signal === 'SIGTERM' ? 143 : 130);
    expect(output).not.toContain('turn=second');
    const pid = Number(/pid=(\d+)/.exec(output)?.[1]);
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
  },
);
