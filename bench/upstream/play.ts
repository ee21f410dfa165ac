/** Plays one of op-conductor's own tests against a fresh net of one cluster, and reads from its output what passed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { conductorCommand } from '../rpc/conductors.ts';
import type { Case, Cluster } from './cases.ts';
import { NetControl } from './net-control.ts';

/** The set-up alone waits for two safe blocks. */
const TEST_SECONDS_MAX = 300;
const MESSAGE_CHARACTERS_MAX = 600;
const LOG_BYTES = 6000;

export interface Programs {
  readonly geth: string;
  readonly opNode: string;
  /** The compiled tests. */
  readonly tests: Readonly<Record<Case['program'], string>>;
}

/** What became of a test, or of a part of one. */
export interface Outcome {
  readonly test: string;
  readonly isPassed: boolean;
  readonly seconds: number;
  /** Why it did not pass, as the test says it; empty where it did. */
  readonly message: string;
}

export interface Played {
  readonly outcomes: readonly Outcome[];
  /** What the test and the conductors wrote where something did not pass; empty otherwise. */
  readonly log: string;
}

/** One outcome per part, or one for a test without parts. Throws where the net does not come up. */
export async function playCase(one: Case, { members }: Cluster, programs: Programs, parent: string): Promise<Played> {
  const conductors = members.map((side) => {
    const found = conductorCommand(side);
    if ('missing' in found) throw new Error(found.missing);
    return found.command;
  });
  const folder = mkdtempSync(join(parent, 'upstream-'));
  try {
    const { geth, opNode, tests } = programs;
    await using control = await NetControl.start({ geth, opNode, conductors, isFormed: one.isFormed, parent: folder });
    const output = await run(tests[one.program], one.test, control.url, folder);
    const outcomes = outcomesOf(one, output);
    const isPassed = outcomes.every((outcome) => outcome.isPassed);
    return { outcomes, log: isPassed ? '' : `${output}\n${control.logs(LOG_BYTES)}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(program: string, test: string, url: string, folder: string): Promise<string> {
  const words = [program, `-test.run=^${test}$`, '-test.v', `-test.timeout=${TEST_SECONDS_MAX}s`];
  // Without the variable their packages look for the contracts of a whole checkout.
  const env = { ...process.env, UPSTREAM_CONTROL: url, DISABLE_OP_E2E_LEGACY: 'true', TMPDIR: folder };
  const child = Bun.spawn(words, { cwd: folder, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const end = (): void => child.kill('SIGKILL');
  process.once('exit', end);
  const [output, complaints] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  process.off('exit', end);
  return `${output}\n${complaints}`;
}

/** A test that did not come to its end has passed nothing that it does not say. */
export function outcomesOf({ test, parts }: Pick<Case, 'test' | 'parts'>, output: string): Outcome[] {
  const wanted = parts.length === 0 ? [test] : parts;
  return wanted.map((name) => {
    const full = parts.length === 0 ? test : `${test}/${name}`;
    const told = verdictOf(full, output);
    const begun = output.indexOf(`=== RUN   ${full}\n`);
    // Where a part was not come to, what ended the test before it is the reason.
    const reason = begun < 0 ? `did not begin: ${reasonOf(output)}` : reasonOf(output.slice(begun));
    return { test: name, ...told, message: told.isPassed ? '' : reason };
  });
}

function verdictOf(name: string, output: string): Pick<Outcome, 'isPassed' | 'seconds'> {
  const [, verdict = '', seconds = '0'] =
    new RegExp(`^ *--- (\\w+): ${name} \\(([\\d.]+)s\\)$`, 'm').exec(output) ?? [];
  return { isPassed: verdict === 'PASS', seconds: Number(seconds) };
}

/** testify's words where they are there, else the end of the output. */
function reasonOf(output: string): string {
  const trace = /Error Trace:\s*(\S+:\d+)/.exec(output)?.[1] ?? '';
  const error =
    /Error: +\t?(.*?)(?=\n\s*(?:Test|Messages):)/s.exec(output)?.[1] ?? output.trim().slice(-MESSAGE_CHARACTERS_MAX);
  const words = error.replaceAll(/\s+/g, ' ').trim();
  return `${trace.split('/').at(-1) ?? ''} ${words}`.trim().slice(0, MESSAGE_CHARACTERS_MAX);
}
