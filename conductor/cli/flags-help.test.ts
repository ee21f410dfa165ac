import { expect, test } from 'vitest';
import { flagTable } from './flags.ts';
import { envNameOf } from './flags/definition.ts';
import { helpText } from './flags-help.ts';

const commands = [{ name: 'devnet', doc: 'run three conductors with development sequencers on this machine' }];

test.each([40, 80, 120])('at %i columns only single words are longer than a line', (columns) => {
  for (const line of helpText({ version: 'v1', commands, columns }).split('\n').slice(8))
    if (line.length > columns) expect(line.trim()).toMatch(/^(\+ )?\S+$/);
});

test('names every flag with its variable, and its default or that it is required', () => {
  const words = helpText({ version: 'v1', commands, columns: 100 }).replaceAll(/\s+/g, ' ');
  for (const flag of flagTable) {
    const note = flag.isRequired ? ', required' : flag.fallback === '' ? ' ' : `, default ${flag.fallback} `;
    expect(words).toContain(`--${flag.name} `);
    expect(words).toContain(`${envNameOf(flag.name)}${note}`);
  }
});
