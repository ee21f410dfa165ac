/** The settings on the page of installing are those of a conductor that starts, with what the commands beside them add. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseFlags } from '#conductor/cli/flags-parse';
import { runConfig } from '#conductor/host/settings/flags-config';

const page = readFileSync(join(import.meta.dirname, '../../content/pages/conductor/installing.mdx'), 'utf8');

test('the file of settings is checked by the command beside it without a complaint', () => {
  const [, settings = ''] = /```yaml title="conductor\.yaml"\n([^]*?)```/.exec(page) ?? [];
  const [, flags = ''] = /`conductor doctor -- ([^`]+)`/.exec(page) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'conductor-installing-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'conductor.yaml');
  writeFileSync(file, settings);
  const words = flags.replace('/etc/conductor/conductor.yaml', file).split(' ');
  expect(words).toContain(`--config=${file}`);
  expect(() => runConfig(parseFlags(words, {}).values)).not.toThrow();
});
