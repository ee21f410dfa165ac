/**
 * The laws that a history of writes must obey (rule 5): what was acknowledged is there, once and at
 * the acknowledged index, on every node; what was refused is nowhere; nothing is there twice; and
 * all nodes hold the same list.
 */
import type { Cluster } from './cluster.ts';
import type { OperationRecord } from './operation.ts';
import type { Observer } from './observer.ts';
import type { Writers } from './writers.ts';

const NAMED_MAX = 10;

/** Sentences about every law broken; call when the cluster has converged and the writers have stopped. */
export async function brokenLaws(
  cluster: Cluster,
  writers: readonly Writers[],
  observer?: Observer,
): Promise<string[]> {
  const broken: string[] = [...(observer?.violations ?? [])];
  const lists = await Promise.all(cluster.running.map((node) => node.control.operations(0)));
  const reference = lists[0] ?? [];
  for (const [at, list] of lists.entries()) {
    if (!isSameList(list, reference))
      broken.push(`${cluster.running[at]?.id} and ${cluster.running[0]?.id} hold different lists`);
  }
  const indexOf = new Map<string, number>();
  for (const { index, client, sequence } of reference) {
    const operation = `${client}/${sequence}`;
    if (indexOf.has(operation)) broken.push(`${operation} is at ${indexOf.get(operation)} and again at ${index}`);
    indexOf.set(operation, index);
  }
  for (const group of writers) {
    for (const { client, sequence, index } of group.acknowledged) {
      const held = indexOf.get(`${client}/${sequence}`);
      if (held !== index)
        broken.push(`${client}/${sequence} was acknowledged at ${index} and is at ${held ?? 'no index'}`);
    }
    for (const { client, sequence, nodeId } of group.refused) {
      const held = indexOf.get(`${client}/${sequence}`);
      if (held !== undefined) broken.push(`${client}/${sequence} was refused by ${nodeId} and is at ${held}`);
    }
  }
  for (const [index, operation] of observer?.operations ?? []) {
    if (indexOf.get(operation) !== index) broken.push(`${operation} was applied at ${index} and is gone`);
  }
  return broken.length <= NAMED_MAX ? broken : [...broken.slice(0, NAMED_MAX), `and ${broken.length - NAMED_MAX} more`];
}

function isSameList(a: readonly OperationRecord[], b: readonly OperationRecord[]): boolean {
  return a.length === b.length && a.every((record, at) => isSameRecord(record, b[at] as OperationRecord));
}

function isSameRecord(a: OperationRecord, b: OperationRecord): boolean {
  return a.index === b.index && a.client === b.client && a.sequence === b.sequence;
}
