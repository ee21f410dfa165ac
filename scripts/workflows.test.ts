/** Continuous integration runs the commands that anybody runs, and nothing that only it knows. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
const folder = join(root, '.github/workflows');
const files = readdirSync(folder);
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

interface Step {
  readonly run?: string;
  readonly uses?: string;
}

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, { readonly 'timeout-minutes'?: number; readonly steps: readonly Step[] }>>;
}

describe.each(files)('%s', (file) => {
  const { permissions, jobs } = parse(readFileSync(join(folder, file), 'utf8')) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it('runs npm scripts that exist, one a step', () => {
    const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      const [, name = ''] = /^npm (?:run )?([a-z:]+)(?: -- [^\n;&|]*)?$/.exec(command) ?? [];
      expect(Object.keys(scripts), command).toContain(name);
    }
  });

  it('ends every job in time, reads alone, and uses releases of actions', () => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const [name, job] of Object.entries(jobs)) expect(job['timeout-minutes'], name).toBeGreaterThan(0);
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@v\d+$/);
  });
});

it('every push is tested', () => {
  const test = readFileSync(join(folder, 'test.yml'), 'utf8');
  expect(parse(test)).toMatchObject({
    on: { push: null },
    jobs: { test: { steps: expect.arrayContaining([{ run: 'npm test' }]) } },
  });
});
