/** The differences that stand in rows of the method table: methods that op-conductor has not. */
import type { MethodDefinition, OwnMethod } from '../rpc/method.ts';
import { methodTable } from '../rpc/methods.ts';
import type { Difference } from '../difference.ts';

export function methodDifferences(of: OwnMethod['area']): readonly Difference[] {
  const rows: readonly MethodDefinition[] = methodTable;
  return rows.flatMap(({ own }) => {
    if (own?.area !== of) return [];
    const { area: _, ...difference } = own;
    return [difference];
  });
}
