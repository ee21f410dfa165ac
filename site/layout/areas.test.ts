import { describe, expect, it } from 'vitest';
import type { Folder, PageTreeEntry } from '../engine/page.ts';
import { areaOf, areasOf } from './areas.ts';

const page = (route: string, hidden = false): PageTreeEntry => ({ type: 'page', label: route, route, hidden });
const folder = (path: string, children: readonly PageTreeEntry[], more: Partial<Folder> = {}): Folder => {
  return { type: 'folder', label: path, path, route: null, flat: false, apart: false, children, ...more };
};
const tree: readonly PageTreeEntry[] = [
  page('/', true),
  { type: 'separator', label: 'BUILDERS' },
  folder(
    '/b',
    [folder('/b/apps', [page('/b/apps/one')]), folder('/b/nodes', [], { route: '/b/nodes', label: 'Nodes (README)' })],
    {
      flat: true,
    },
  ),
  folder('/stack', [page('/stack/start'), folder('/stack/fees', [page('/stack/fees/l1')])], { flat: true }),
  folder('/empty', [page('/empty/secret', true)]),
];

describe('areas of the site', () => {
  it('are the folders at the top, and what is in those that only hold folders', () => {
    expect(areasOf(tree).map(({ path, first }) => [path, first])).toEqual([
      ['/b/apps', '/b/apps/one'],
      ['/b/nodes', '/b/nodes'],
      ['/stack', '/stack/start'],
    ]);
  });

  it('are called what their folder is called, without what stands in brackets', () => {
    expect(areasOf(tree).map(({ label }) => label)).toEqual(['/b/apps', 'Nodes', '/stack']);
  });

  it('have every page below them, and no other', () => {
    const areas = areasOf(tree);
    const pathOf = (route: string) => areaOf(areas, route)?.path;
    expect(['/b/nodes', '/b/apps/one', '/stack/fees/l1', '/stacks', '/', '/404'].map(pathOf)).toEqual([
      ...['/b/nodes', '/b/apps', '/stack', undefined, undefined, undefined],
    ]);
  });
});
