import { expect, test } from 'vitest';
import { benchmarks } from './benchmarks.ts';
import { help } from './help.ts';

test('every benchmark is told with its minutes', () => {
  const lines = help().split('\n');
  for (const [name, { title, minutes }] of Object.entries(benchmarks)) {
    const line = lines.find((one) => one.startsWith(`${name} `)) ?? '';
    expect(line).toContain(title);
    expect(line).toMatch(new RegExp(` ${minutes.full}, quick ${minutes.quick}$`));
  }
});

test.each(['--quick', '--minutes', '--only', '--keep', '--help', 'exit codes', 'OP_CONDUCTOR_BIN'])(
  '%s is told',
  (word) => expect(help()).toContain(word),
);
