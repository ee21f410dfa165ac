import { expect, test } from 'vitest';
import { requireNamedPrograms } from './named-programs.ts';
import { SettingError } from './setting-error.ts';

test('what is unset, empty or names a program is no complaint', () => {
  expect(() => requireNamedPrograms({})).not.toThrow();
  expect(() => requireNamedPrograms({ OP_CONDUCTOR_BIN: '', OP_NODE_BIN: process.execPath })).not.toThrow();
});

test.each(['CONDUCTOR_BIN', 'OP_CONDUCTOR_BIN', 'OP_NODE_BIN', 'OP_GETH_BIN'])('%s must name a program', (variable) => {
  for (const path of ['/nowhere/program', import.meta.dirname, import.meta.filename]) {
    const check = (): void => requireNamedPrograms({ [variable]: path });
    expect(check).toThrow(SettingError);
    expect(check).toThrow(`${variable} names ${path}`);
  }
});
