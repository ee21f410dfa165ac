import { describe, expect, it } from 'vitest';
import { decodeRecords, operationCommand } from './operation.ts';
import { OperationLog } from './operation-log.ts';

function applied(log: OperationLog, index: number, data: Uint8Array | null, type = 0): void {
  log.apply({ index, term: 1, type, summary: log.summarize({ type, data }), data: () => data });
}

describe('the test state machine', () => {
  it('lists commands in order with their index and id, and nothing else', () => {
    const log = new OperationLog();
    applied(log, 2, operationCommand(7, 1, 16));
    applied(log, 3, null, 1);
    applied(log, 4, operationCommand(7, 2, 400));
    applied(log, 5, new Uint8Array([1]));
    applied(log, 6, null);
    expect(decodeRecords(log.from(0))).toEqual([
      { index: 2, client: 7, sequence: 1 },
      { index: 4, client: 7, sequence: 2 },
      { index: 5, client: 0x0100_0000_0000_0000, sequence: 0 },
      { index: 6, client: 0, sequence: 0 },
    ]);
    expect(decodeRecords(log.from(5)).map(({ index }) => index)).toEqual([5, 6]);
    expect(log.from(7).byteLength).toBe(0);
  });

  it('comes back from its own snapshot and refuses anything else', () => {
    const log = new OperationLog();
    expect(log.snapshot()).toBeNull();
    for (let index = 1; index <= 3000; index += 1) applied(log, index, operationCommand(index % 5, index, 20));
    const snapshot = log.snapshot();
    const other = new OperationLog();
    expect(other.restore(snapshot as Uint8Array)).toBeNull();
    applied(other, 3001, operationCommand(9, 9, 16));
    expect(decodeRecords(other.from(0)).slice(0, 3000)).toEqual(decodeRecords(log.from(0)));
    expect(other.restore((snapshot as Uint8Array).subarray(0, 100))).toContain('not a snapshot');
    expect(other.restore(new Uint8Array(7))).toContain('not a snapshot');
    expect(decodeRecords(other.from(3001))).toEqual([{ index: 3001, client: 9, sequence: 9 }]);
  });
});
