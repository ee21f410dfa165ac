import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findViolations } from './check.ts';
import { COMPUTED, findImports } from './imports.ts';

const root = join(import.meta.dirname, '..', '..');
const FOLDERS = new Set(['conductor', 'simulator', 'site', 'tests', 'bench', 'infra', 'scripts']);

/** All sources but tests, which may import whatever they need to look at their subject. */
function readSources(): Map<string, string> {
  const sources = new Map<string, string>();
  const present = readdirSync(root).filter((name) => FOLDERS.has(name));
  for (const folder of present) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const file = `${folder}/${entry.split(sep).join('/')}`;
      const isSource = /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.includes('/node_modules/');
      if (isSource) sources.set(file, readFileSync(join(root, file), 'utf8'));
    }
  }
  return sources;
}

describe('the house (DESIGN: arrows are imports, there are no others)', () => {
  test('every import in the repository follows an arrow', () => {
    const sources = readSources();
    expect(sources.has('conductor/ports.ts')).toBe(true);
    expect(findViolations(sources)).toEqual([]);
  });
});

describe('the checker', () => {
  const planted: readonly [law: string, file: string, text: string, complaint: RegExp][] = [
    ['the core uses no bun module', 'conductor/raft/a.ts', "import { Database } from 'bun:sqlite';", /bun:sqlite/],
    ['the core uses no node module', 'conductor/rpc/a.ts', "import 'node:fs';", /node:fs/],
    ['the core uses no package', 'conductor/wire/a.ts', "import { z } from 'commander';", /commander/],
    ['the core re-exports nothing of the platform', 'conductor/a.ts', "export * from 'node:net';", /node:net/],
    ['the core imports nothing computed', 'conductor/raft/a.ts', 'await import(`./${name}.ts`);', /run time/],
    [
      'adapters are beyond the core',
      'conductor/control/a.ts',
      "import { x } from '../adapters/tcp.ts';",
      /to adapters/,
    ],
    ['types follow the arrows too', 'conductor/raft/a.ts', "import type { X } from '../cli/run.ts';", /to cli/],
    ['raft does not see the framing', 'conductor/raft/a.ts', "import { x } from '../wire/frames.ts';", /to wire/],
    ['wire does not see raft', 'conductor/wire/a.ts', "import { x } from '../raft/node.ts';", /to raft/],
    ['payload does not see raft', 'conductor/payload/a.ts', "import { x } from '#conductor/raft/node';", /to raft/],
    ['adapters do not see the cli', 'conductor/adapters/a.ts', "import { x } from '../cli/run.ts';", /to cli/],
    ['the simulator does not see adapters', 'simulator/a.ts', "import '#conductor/adapters/tcp';", /to adapters/],
    ['the simulator uses no platform', 'simulator/a.ts', "import { x } from 'node:crypto';", /node:crypto/],
    [
      'the site runs nothing that touches the machine',
      'site/a.tsx',
      "import '#conductor/adapters/clock';",
      /to adapters/,
    ],
    ['bench sees only tables', 'bench/a.ts', "import { x } from '#conductor/raft/node';", /to raft/],
    ['test support stays with the tests', 'conductor/raft/a.ts', "import './testing/b.ts';", /to support/],
    ['every folder has a place', 'elsewhere/a.ts', '', /no part/],
  ];

  test.each(planted)('%s', (_law, file, text, complaint) => {
    expect(findViolations(new Map([[file, text]]))).toEqual([expect.stringMatching(complaint)]);
  });

  test('files of the core import each other without cycles', () => {
    const sources = new Map([
      ['conductor/raft/a.ts', "import { b } from './b.ts';"],
      ['conductor/raft/b.ts', "import type { C } from './c.ts';"],
      ['conductor/raft/c.ts', "export { a } from './a.ts';"],
    ]);
    expect(findViolations(sources)).toEqual([
      'cycle: conductor/raft/a.ts → conductor/raft/b.ts → conductor/raft/c.ts → conductor/raft/a.ts',
    ]);
  });

  test('what the house allows is left alone', () => {
    const sources = new Map([
      ['conductor/ports.ts', "import type { Entry } from './raft/types.ts';"],
      ['conductor/raft/a.ts', "import type { LogStore } from '../ports.ts';\nimport { x } from '../wire/hints.ts';"],
      ['conductor/payload/a.ts', "import { keccak } from 'hash-wasm';"],
      ['conductor/adapters/a.ts', "import { Database } from 'bun:sqlite';\nimport '#conductor/raft/node';"],
      ['conductor/cli/a.ts', "import { Command } from 'commander';\nimport { x } from '../adapters/tcp.ts';"],
      ['simulator/a.ts', "import { Node } from '#conductor/raft/node';"],
      ['site/a.tsx', "import { run } from '#simulator/world';"],
    ]);
    expect(findViolations(sources)).toEqual([]);
  });
});

describe('findImports', () => {
  test('sees every form of import', () => {
    const source = [
      "import a, { b as c } from 'one';",
      "import type { D } from 'two';",
      "import * as e from 'three';",
      "import 'four';",
      "export { f } from 'five';",
      "export * as g from 'six';",
      "const h = await import('seven');",
      "type I = import('eight').I;",
      "const j = require('nine');",
      "import {\n  k,\n  l,\n} from 'ten';",
      'const m = await import(name);',
      "import n from 'eleven' with { type: 'json' };",
    ].join('\n');
    const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', COMPUTED, 'eleven'];
    expect(findImports(source)).toEqual(names);
  });

  test('is not misled by comments, strings, templates, patterns and member names', () => {
    const source = [
      "// import 'a'",
      "/* import b from 'b' */",
      'const c = "import d from \'e\'";',
      "const f = `import 'g'`;",
      "const h = /import 'i'/.test(j);",
      "schema.import('k');",
      'export const l = 1;',
      "export function m() { return 'from'; }",
      'const n = import.meta.dirname;',
    ].join('\n');
    expect(findImports(source)).toEqual([]);
  });
});
