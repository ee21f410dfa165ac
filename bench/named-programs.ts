/** The variables that name a program: one that is set must name a file that can be run. */
import { accessSync, constants, statSync } from 'node:fs';
import { SettingError } from './setting-error.ts';

/** CONDUCTOR_TEST_NODE_BIN is our node of the bare replicated log. */
const VARIABLES = ['CONDUCTOR_BIN', 'CONDUCTOR_TEST_NODE_BIN', 'OP_CONDUCTOR_BIN', 'OP_NODE_BIN', 'OP_GETH_BIN'];

/** Throws a SettingError for the first variable that names no program; an unset or empty one names nothing. */
export function requireNamedPrograms(env: Readonly<Record<string, string | undefined>>): void {
  for (const variable of VARIABLES) {
    const path = env[variable] ?? '';
    if (path !== '' && !isProgram(path)) {
      throw new SettingError(
        `${variable} names ${path}, which is no file that can be run: correct it, or unset it to have the program built`,
      );
    }
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
