/** The Conductor page as a whole: its headings, and that no command on it is left out of the process tests. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { envNameOf, flagTable } from '#conductor/cli/flags';
import { methodTable } from '#conductor/core/rpc/methods';
import { callName, clients, methodOrder } from '../../site/engine/generated/conductor-methods.ts';
import { givenSentences, methodNotes } from '../../site/engine/generated/conductor-method-notes.ts';
import { NOT_RECORDED, readRecordings } from '../../site/engine/generated/recorded-outputs.ts';
import { CommandPage } from './page-commands.ts';
import { CONDUCTOR_PAGE } from './page-runner.ts';

const page = new CommandPage(CONDUCTOR_PAGE);
/** Recorded from a log; no command prints it. */
const LOG_LINES = ['setup/not-enabled'];

describe('headings', () => {
  test('sections are those of the plan, in order', () => {
    const headings = [...page.text.matchAll(/^(##|###) (.+)$/gm)].map(([, marks, text]) => `${marks} ${text}`);
    expect(headings).toEqual([
      '## Enhancing sequencer reliability and availability',
      '### Assumptions',
      '### Summary of guarantees',
      '## Design',
      '### Raft consensus layer participation',
      '### RPC request handling',
      '### Sequencer health monitoring',
      '### Control loop management',
      '## Conductor state transition',
      '## Setup',
      '### Assumptions',
      '### Spin up op-conductor',
      '### Blue/green deployment',
      '### Post-conductor launch deployments',
      '### Configuration options',
      '### RPCs',
      '## Next steps',
    ]);
  });

  test('the procedure has its eleven steps', () => {
    expect([...page.text.matchAll(/<Step title="([^"]+)">/g)].map(([, title]) => title)).toEqual([
      'Deploy conductor',
      'Pause two conductors',
      'Update op-node configuration and switch the active sequencer',
      'Confirm sequencer switch was successful',
      'Add voting nodes',
      'Confirm state',
      'Resume conductors',
      'Confirm state',
      'Transfer leadership',
      'Confirm state',
      'Update configuration',
    ]);
  });
});

describe('commands', () => {
  const names = page.commands.map(({ name }) => name);

  test('each has a name of its own, under which its output is recorded', () => {
    expect(names).not.toContain(null);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(80);
  });

  test('what the page shows is what was recorded, all of it', () => {
    const { outputs } = readRecordings('op-conductor');
    expect([...names, ...LOG_LINES].toSorted()).toEqual(Object.keys(outputs).toSorted());
    expect(page.text).not.toContain(NOT_RECORDED);
    for (const { name, shown } of page.commands) expect(shown).toBe(outputs[name ?? '']);
  });

  test('each is run by a process test', () => {
    const tests = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.process.test.ts'));
    const sources = tests.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n');
    const reference = new Set(
      methodOrder.flatMap((method) =>
        methodNotes[method].examples.flatMap((_, at) => clients.map((client) => callName(method, at, client))),
      ),
    );
    const left = names.filter((name) => name !== null && !reference.has(name) && !sources.includes(`'${name}'`));
    expect(left).toEqual([]);
  });
});

describe('settings', () => {
  test('every variable of a conductor on the page exists', () => {
    const known = new Set(flagTable.map(({ name }) => envNameOf(name)));
    const named = page.text.match(/\bOP_CONDUCTOR_[A-Z0-9_]+/g) ?? [];
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  test.each(['conductor.yaml', 'sequencer-0.yaml', 'sequencer-1.yaml', 'op-node.yaml', 'tls.yaml'])(
    '%s holds texts only, as an environment does',
    (title) => {
      const settings = Object.values(parse(page.file(title)) as Record<string, unknown>);
      expect(settings.filter((value) => typeof value !== 'string')).toEqual([]);
    },
  );
});

describe('whoever makes the calls of the reference one after the other', () => {
  /** They undo what was done before, or what they did themselves. */
  const leadBack = ['conductor_overrideLeader', 'conductor_resume', 'conductor_addServerAsVoter'];
  const changing = methodTable.filter(({ name, admin }) => admin && !leadBack.includes(name));

  test.for(changing.map(({ name }) => name))('is told below %s what it leaves behind', (name) => {
    const [, section = ''] = page.text.split(`\n#### \`${name}\`\n`);
    const [, below = ''] = /<\/Tabs>\n\n([^\n]+)\n\n####/.exec(section) ?? [];
    expect(below).toMatch(/^(?:node-\d|Another node|Nothing restarts) .*(?:conductor_\w+|`npm start`)/);
    expect(below).toBe(methodNotes[name].after);
  });

  test('is told how to come to every state that a call is shown in', () => {
    const { 'node-1 leads': start, ...others } = givenSentences;
    expect(start).toBe('');
    for (const sentence of Object.values(others)) expect(sentence).toMatch(/\]\(#conductor_\w+\).*:$/);
  });
});
