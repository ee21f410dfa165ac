import { expect, test } from 'vitest';
import { MigrationError } from '#conductor/migration/migration-error';
import { StoreError } from '#conductor/adapters/sqlite/store-error';
import { ConfigError } from '#conductor/core/errors';
import { reportFailure } from './application-failed.ts';

function fieldsFor(thrown: unknown): unknown {
  let said: unknown;
  reportFailure({ crit: (_message, fields) => void (said = fields) }, thrown);
  return said;
}

test.each([
  [new StoreError('disk-full', 'no room'), 'disk-full'],
  [new MigrationError('in-use', 'locked'), 'in-use'],
])('an error with a code leads to its section, by page and by command', (thrown, code) =>
  expect(fieldsFor(thrown)).toEqual({
    message: thrown.message,
    runbook: expect.stringMatching(new RegExp(`/conductor/runbooks/errors#${code}$`)),
    command: `conductor runbook ${code}`,
  }),
);

test('one without a code is told by its message alone, whatever was thrown', () => {
  expect(fieldsFor(new ConfigError('no such flag'))).toEqual({ message: 'no such flag' });
  expect(fieldsFor('odd')).toEqual({ message: 'odd' });
});
