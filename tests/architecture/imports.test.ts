import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findViolations, risingArrows, staleCycles } from './check.ts';
import { knownCycles, parts } from './house.ts';
import { COMPUTED, findImports } from './imports.ts';

const root = join(import.meta.dirname, '..', '..');
const FOLDERS = new Set(['conductor', 'simulator', 'mutants', 'site', 'tests', 'bench', 'infra', 'scripts']);

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
    expect(sources.has('conductor/core/ports.ts')).toBe(true);
    expect(findViolations(sources)).toEqual([]);
  });

  test('every arrow leads downwards', () => {
    expect(risingArrows(parts)).toEqual([]);
  });

  test('what is known to be a cycle still is one', () => {
    expect(staleCycles(readSources())).toEqual([]);
  });

  test('no name of a part occurs twice, and every arrow leads to a part', () => {
    const names = parts.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(parts.flatMap(({ mayImport }) => mayImport).filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('the checker', () => {
  const planted: readonly [law: string, file: string, text: string, complaint: RegExp][] = [
    ['the core uses no bun module', 'conductor/core/raft/a.ts', "import { D } from 'bun:sqlite';", /bun:sqlite/],
    ['the core uses no node module', 'conductor/core/rpc/a.ts', "import 'node:fs';", /node:fs/],
    ['the core uses no package', 'conductor/core/wire/a.ts', "import { z } from 'commander';", /commander/],
    ['the core re-exports nothing of the platform', 'conductor/core/a.ts', "export * from 'node:net';", /node:net/],
    ['the core imports nothing computed', 'conductor/core/raft/a.ts', 'await import(`./${name}.ts`);', /run time/],
    ['adapters are beyond the core', 'conductor/core/control/a.ts', imports('adapters/tcp/dial'), /to adapters/],
    ['the host is beyond the core', 'conductor/core/conductor.ts', imports('host/run'), /to host/],
    ['types follow the arrows too', 'conductor/core/raft/a.ts', importsType('cli/main'), /to program/],
    ['raft does not see the framing', 'conductor/core/raft/a.ts', "import { x } from '../wire/frames.ts';", /to wire/],
    ['wire does not see raft', 'conductor/core/wire/a.ts', "import { x } from '../raft/node.ts';", /to raft/],
    ['payload does not see raft', 'conductor/core/payload/a.ts', imports('core/raft/node'), /to raft/],
    ['health does not see control', 'conductor/core/health/a.ts', imports('core/control/loop'), /to control/],
    ['health does not see calls', 'conductor/core/health/a.ts', imports('core/rpc/methods'), /to rpc/],
    ['adapters do not see the host', 'conductor/adapters/tcp/a.ts', imports('host/run'), /to host/],
    ['adapters do not see flags', 'conductor/adapters/http/a.ts', imports('cli/flags-parse'), /to flags/],
    ['a migration does not see the host', 'conductor/migration/a.ts', imports('host/settings/exposure'), /to host/],
    ['the host does not see the tool', 'conductor/host/a.ts', imports('operate/step'), /to operate/],
    ['the host does not see the entry', 'conductor/host/a.ts', imports('cli/main'), /to program/],
    ['the tool does not see devnet', 'conductor/operate/a.ts', imports('devnet/plan'), /to devnet/],
    ['the tool does not see stand-ins', 'conductor/operate/a.ts', imports('dev-sequencer/peers'), /to dev-sequencer/],
    ['devnet does not see the entry', 'conductor/devnet/a.ts', imports('cli/import-command'), /to program/],
    ['parsing does not see commands', 'conductor/cli/flags-help.ts', "import './import-command.ts';", /to program/],
    ['tables see no parsing', 'conductor/cli/flags.ts', "import './flags-parse.ts';", /to flags/],
    ['the simulator does not see adapters', 'simulator/a.ts', imports('adapters/tcp/dial'), /to adapters/],
    ['the simulator uses no platform', 'simulator/a.ts', "import { x } from 'node:crypto';", /node:crypto/],
    ['the simulator does not see its mutants', 'simulator/a.ts', "import '../mutants/a.ts';", /to mutants/],
    ['mutants use no platform', 'mutants/a.ts', "import 'node:fs';", /node:fs/],
    ['the site runs nothing that touches the machine', 'site/a.tsx', imports('adapters/clock/clock'), /to adapters/],
    ['bench sees only tables', 'bench/a.ts', imports('core/raft/node'), /to raft/],
    ['test support stays with the tests', 'conductor/core/raft/a.ts', "import './testing/b.ts';", /to support/],
    ['nothing lies loose in conductor', 'conductor/a.ts', '', /no part/],
    ['every folder has a place', 'elsewhere/a.ts', '', /no part/],
  ];

  test.each(planted)('%s', (_law, file, text, complaint) => {
    expect(findViolations(new Map([[file, text]]))).toEqual([expect.stringMatching(complaint)]);
  });

  test.each(['conductor/core/raft', 'conductor/operate', 'simulator', 'site/islands', 'bench'])(
    'files of %s import each other without cycles',
    (folder) => {
      const sources = new Map([
        [`${folder}/a.ts`, "import { b } from './b.ts';"],
        [`${folder}/b.ts`, "import type { C } from './c.ts';"],
        [`${folder}/c.ts`, "export { a } from './a.ts';"],
      ]);
      expect(findViolations(sources)).toEqual([
        `cycle: ${folder}/a.ts → ${folder}/b.ts → ${folder}/c.ts → ${folder}/a.ts`,
      ]);
    },
  );

  test('a known cycle does not hide another one through the same files', () => {
    const sources = new Map([
      ['simulator/machine.ts', "import './conductor-process.ts';\nimport './a.ts';"],
      ['simulator/conductor-process.ts', "import './machine.ts';"],
      ['simulator/a.ts', "import './machine.ts';"],
    ]);
    expect(findViolations(sources)).toEqual(['cycle: simulator/machine.ts → simulator/a.ts → simulator/machine.ts']);
  });

  test('a known cycle that is opened is told', () => {
    const sources = new Map(knownCycles.map(([file]) => [file, '']));
    const told = knownCycles.map(
      ([file, imported]) => `${file} → ${imported} closes no cycle: take it out of knownCycles`,
    );
    expect(staleCycles(sources)).toEqual(told);
  });

  test('an arrow that leads upwards is told, but within one folder', () => {
    const part = { files: /x/, mayUse: 'anything' } as const;
    const list = [
      { ...part, name: 'a', mayImport: ['b'] },
      { ...part, name: 'b', mayImport: ['a', 'c'], room: 'c' },
      { ...part, name: 'c', mayImport: ['b'] },
    ];
    expect(risingArrows(list)).toEqual(['a may import b, which does not stand above it']);
  });

  test('what the house allows is left alone', () => {
    const sources = new Map([
      ['conductor/core/ports.ts', "import type { Entry } from './raft/types.ts';"],
      [
        'conductor/core/raft/a.ts',
        "import type { L } from '../ports.ts';\nimport { x } from '../wire/peer-status.ts';",
      ],
      ['conductor/core/payload/a.ts', "import { keccak } from 'hash-wasm';"],
      ['conductor/adapters/a.ts', `import { Database } from 'bun:sqlite';\n${imports('core/raft/node')}`],
      ['conductor/cli/a-command.ts', `import { Command } from 'commander';\n${imports('adapters/tcp/dial')}`],
      ['conductor/host/a.ts', `${imports('migration/import-store')}\n${imports('cli/flags')}`],
      ['conductor/operate/a.ts', imports('host/settings/exposure')],
      ['conductor/devnet/a.ts', imports('operate/changes/view')],
      ['simulator/a.ts', imports('core/raft/node')],
      ['site/a.tsx', "import { run } from '#simulator/world';"],
    ]);
    expect(findViolations(sources)).toEqual([]);
  });
});

function imports(module: string): string {
  return `import { x } from '#conductor/${module}';`;
}

function importsType(module: string): string {
  return `import type { X } from '#conductor/${module}';`;
}

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
