/** The by-hand script of raft-wire.json: requests that a real Go node was sent in order, and the bytes that it gave. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ByHandCase {
  readonly name: string;
  readonly requestHex: string;
  readonly responseHex?: string | null;
  readonly closedByNode?: boolean;
  readonly clientClosesAfter?: boolean;
  readonly waitMsBefore?: number;
  readonly volatile?: unknown;
}

const folder = process.env['VECTORS_DIR'] ?? join(import.meta.dirname, '../../wire/testdata');

export const { byHand } = JSON.parse(readFileSync(join(folder, 'raft-wire.json'), 'utf8')) as {
  byHand: { node: { id: string; address: string }; cases: ByHandCase[] };
};
