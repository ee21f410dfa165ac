/** The page of the operators' tool names every command, and no command or option that there is not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { parseClusterFile } from '#conductor/operate/cluster-file';
import { operatorCommands } from '#conductor/operate/commands';
import { registerOperatorCommand } from '#conductor/operate/operator-command';

const page = readFileSync(join(import.meta.dirname, '../../content/pages/conductor/operators-tool.mdx'), 'utf8');
const program = new Command();
for (const command of operatorCommands) registerOperatorCommand(program, command);

test.each(operatorCommands)('$name is on the page', ({ name }) => {
  expect(page).toMatch(new RegExp(`conductor ${name}\\b`));
});

test('every command on the page exists, with its options', () => {
  const lines = [...page.matchAll(/^conductor ([a-z]+) (.*)$|`conductor ([a-z]+)([^`]*)`/gm)];
  expect(lines.length).toBeGreaterThan(operatorCommands.length);
  for (const [line, name = '', words = '', inlineName = '', inlineWords = ''] of lines) {
    const command = program.commands.find((one) => one.name() === (name || inlineName));
    // A status is printed with the word `conductor` before it.
    if (line.startsWith('conductor  ')) continue;
    expect(command, line).toBeDefined();
    // What follows two dashes alone are flags of the conductor.
    const [own = ''] = `${words} ${inlineWords}`.split(' -- ');
    for (const [option] of own.matchAll(/--[a-z-]+/g))
      expect(
        command?.options.map(({ long }) => long),
        line,
      ).toContain(option);
  }
});

test('the commands that work while a deploy command still runs are those that are named for it', () => {
  const [, sentence = ''] = /still runs, only ([^.]+) work with that cluster file/.exec(page) ?? [];
  const named = [...sentence.matchAll(/`([a-z]+)`/g)].map(([, name]) => name);
  const able = operatorCommands.filter(({ isForEmergencies }) => isForEmergencies === true).map(({ name }) => name);
  expect(named.toSorted()).toEqual(able.toSorted());
});

test('its cluster file is read as it stands', () => {
  const [, text = ''] = /```toml\n([^]*?)```/.exec(page) ?? [];
  const { name, servers } = parseClusterFile(text, '/etc/conductor.toml');
  expect({ name, ids: servers.map(({ id }) => id) }).toEqual({ name: 'mainnet', ids: ['sequencer-0', 'sequencer-1'] });
});
