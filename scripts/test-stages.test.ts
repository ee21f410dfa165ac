import { join } from 'node:path';
import { expect, test } from 'vitest';
import { selectStages, vectorsComplaint } from './test-stages.ts';

const root = join(import.meta.dirname, '..');
const everything = { root, vectorsOnly: false, only: [], filters: [] };

function namesOf(selection: Parameters<typeof selectStages>[0]): string[] {
  return selectStages(selection).map((stage) => stage.name);
}

test('the text is checked before the tests run, and processes run last', () => {
  expect(namesOf(everything)).toEqual(['format', 'lint', 'types', 'unused', 'site', 'unit', 'browser', 'process']);
});

test('types are checked by every tsconfig that is not a base for others', () => {
  const types = selectStages(everything).find((stage) => stage.name === 'types');
  expect(types?.commands.map((command) => command.at(-1))).toEqual(
    expect.arrayContaining(['tsconfig.core.json', 'tsconfig.json']),
  );
  expect(types?.commands.flat()).not.toContain('tsconfig.base.json');
});

test('with parts of paths, or for vectors, only tests run, and only those', () => {
  expect(namesOf({ ...everything, filters: ['raft'] })).toEqual(['unit', 'browser', 'process']);
  const vectors = selectStages({ ...everything, vectorsOnly: true });
  expect(vectors.map((stage) => stage.name)).toEqual(['unit', 'browser', 'process']);
  for (const stage of vectors) expect(stage.commands.at(-1)?.at(-1)).toBe('.vectors.test.ts');
});

test('process tests run the compiled binaries, which are built first', () => {
  const process = selectStages(everything).find((stage) => stage.name === 'process');
  expect(process?.commands[0]).toEqual(['scripts/build-for-tests.ts']);
  expect(Object.keys(process?.env ?? {})).toEqual(['CONDUCTOR_BIN', 'CONDUCTOR_TEST_NODE_BIN']);
});

test('files of tests can be run alone, by path, without the filters of the stage and without what it builds first', () => {
  const stages = selectStages({ ...everything, filters: ['raft'] });
  for (const stage of stages) {
    const tests = stage.commands.at(-1) ?? [];
    expect(stage.runFiles?.(['a.test.ts'])).toEqual([...tests.slice(0, -1), 'a.test.ts']);
  }
  const counted = selectStages(everything).filter((stage) => stage.runFiles !== undefined);
  expect(counted.map((stage) => stage.name)).toEqual(['unit', 'browser', 'process']);
});

test('a folder of recorded data that is not there is said in one sentence', () => {
  expect(vectorsComplaint(undefined)).toBeNull();
  expect(vectorsComplaint(root)).toBeNull();
  expect(vectorsComplaint(join(root, 'none'))).toMatch(/^VECTORS_DIR names .*none, which is no folder: [^.]*\.$/);
  expect(vectorsComplaint(join(root, 'package.json'))).toContain('which is no folder');
  expect(vectorsComplaint('')).toContain('names nothing');
});

test('a stage can be asked for by name; an unknown name selects nothing', () => {
  expect(namesOf({ ...everything, only: ['types', 'lint'] })).toEqual(['lint', 'types']);
  expect(namesOf({ ...everything, only: ['tipes'] })).toEqual([]);
});
