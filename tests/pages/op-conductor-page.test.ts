/**
 * The Conductor page and its reference as a whole: headings, old anchors, and that no command is left out of the process
 * tests.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import GithubSlugger, { slug } from 'github-slugger';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { flagTable } from '#conductor/cli/flags';
import { envNameOf } from '#conductor/cli/flags/definition';
import { methodTable } from '#conductor/core/rpc/methods';
import { conductorRoutes, relinked } from '../../site/engine/generated/conductor-reference-links.ts';
import { callName, clients, examplesOf, methodOrder } from '../../site/engine/generated/conductor-methods.ts';
import { givenSentences, methodNotes } from '../../site/engine/generated/conductor-method-notes.ts';
import { NOT_RECORDED, readRecordings } from '../../site/engine/generated/recorded-outputs.ts';
import { CommandPage } from './page-commands.ts';
import { CONDUCTOR_PAGE, MIGRATION_PAGE, RPC_PAGE } from './page-runner.ts';

const page = new CommandPage(CONDUCTOR_PAGE);
/** With what it leads to for every method, and with the recorded way from op-conductor and back. */
const all = new CommandPage(CONDUCTOR_PAGE, RPC_PAGE, MIGRATION_PAGE);
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

describe('every old anchor', () => {
  const slugger = new GithubSlugger();
  const headings = [...page.text.matchAll(/^#{2,4} (.+)$/gm)].map(([, text = '']) => slugger.slug(text));
  const rows = [...page.text.matchAll(/<span id="([^"]+)">/g)].map(([, id = '']) => id);
  const anchors = new Set([...headings, ...rows]);

  test('of a flag or a method is a line on the page, once, that leads to the reference', () => {
    const flags = flagTable.map(({ name }) => [slug(`--${name}`), '/conductor/flags'] as const);
    const methods = methodTable.map(({ name }) => [slug(name), '/conductor/rpc'] as const);
    expect(rows.toSorted()).toEqual([...flags, ...methods].map(([anchor]) => anchor).toSorted());
    for (const [anchor, route] of [...flags, ...methods]) expect(page.text).toContain(`](${route}#${anchor})</span>`);
  });

  test.each([
    ...[
      'failure-scenarios',
      'replacing-op-conductor',
      'who-may-call-admin-methods',
      'tls-between-conductors',
      'metrics',
    ],
    ...['probes', 'differences-from-op-conductor', 'assumptions', 'assumptions-1', 'bluegreen-deployment', 'rpcs'],
  ])('#%s is a heading still', (anchor) => {
    expect(anchors).toContain(anchor);
  });
});

describe('commands', () => {
  const names = all.commands.flatMap(({ name }) => name ?? []);

  test('each has a name of its own, under which its output is recorded', () => {
    const pages = new CommandPage(CONDUCTOR_PAGE, RPC_PAGE);
    expect(pages.commands.map(({ name }) => name)).not.toContain(null);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(80);
  });

  test('what the page shows is what was recorded, all of it', () => {
    const { outputs } = readRecordings('op-conductor');
    const advice = 'npm run docs:record keeps what each command prints';
    expect([...names, ...LOG_LINES].toSorted(), advice).toEqual(Object.keys(outputs).toSorted());
    expect(all.text).not.toContain(NOT_RECORDED);
    for (const { name, shown } of all.commands) if (name !== null) expect(shown).toBe(outputs[name]);
  });

  test('each is run by a process test', () => {
    const tests = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.process.test.ts'));
    const sources = tests.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n');
    const reference = new Set(
      methodOrder.flatMap((method) =>
        examplesOf(method).flatMap((_, at) => clients.map((client) => callName(method, at, client))),
      ),
    );
    const left = names.filter((name) => !reference.has(name) && !sources.includes(`'${name}'`));
    expect(left).toEqual([]);
  });
});

describe('settings', () => {
  test('every variable of a conductor on the page exists', () => {
    const known = new Set(flagTable.map(({ name }) => envNameOf(name)));
    const named = all.text.match(/\bOP_CONDUCTOR_[A-Z0-9_]+/g) ?? [];
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  test.each(['conductor.yaml', 'sequencer-0.yaml', 'sequencer-1.yaml', 'op-node.yaml'])(
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
  const changing = methodTable.filter(
    ({ name, admin, result }) => admin && result === 'null' && !leadBack.includes(name),
  );

  test.for(changing.map(({ name }) => name))('is told below %s what it leaves behind', (name) => {
    const [, rest = ''] = all.text.split(`\n#### \`${name}\`\n`);
    const section = rest.slice(0, rest.indexOf('\n###') + '\n###'.length);
    const [, below = ''] = /<\/Tabs>\n\n([^\n]+)\n\n(?:<Island [^\n]+\n\n)?###/.exec(section) ?? [];
    expect(
      below,
      `in site/engine/generated/conductor-method-notes.ts ${name} needs an \`after\` that begins with who is left how ("node-1 …", or "The call has changed nothing"), and names the method, or \`npm start\`, that leads back`,
    ).toMatch(
      /^(?:node-\d|Another node|`npm start` does not restart|The call has changed nothing)\b.*(?:conductor_\w+|`npm start`)/,
    );
    expect(below).toBe(relinked(methodNotes[name]?.after ?? '', conductorRoutes.rpc));
  });

  test('is told how to come to every state that a call is shown in', () => {
    const { 'node-1 leads': start, ...others } = givenSentences;
    expect(start).toBe('');
    for (const sentence of Object.values(others)) expect(sentence).toMatch(/\]\(#conductor_\w+\).*:$/);
  });
});
