/**
 * The laws that a history of writes must obey (rule 5): what was acknowledged is there, once and at
 * the acknowledged index, on every node; what was refused is nowhere; nothing is there twice; what
 * was ever applied stays; and all nodes hold the same list.
 */
import type { Cluster } from './cluster.ts';
import type { OperationRecord } from './operation.ts';
import type { Observer } from './observer.ts';
import type { Writers, WrittenOperation } from './writers.ts';

const NAMED_MAX = 10;

export interface History {
  /** What every node holds in the end, by node id. */
  readonly lists: ReadonlyMap<string, readonly OperationRecord[]>;
  readonly acknowledged: readonly Pick<WrittenOperation, 'client' | 'sequence' | 'index'>[];
  readonly refused: readonly Pick<WrittenOperation, 'client' | 'sequence' | 'nodeId'>[];
  /** What any node ever showed, by index: "client/sequence". */
  readonly observed: ReadonlyMap<number, string>;
}

/** Reads all lists and judges; call when the cluster has converged and the writers have stopped. */
export async function brokenLaws(
  cluster: Cluster,
  writers: readonly Writers[],
  observer?: Observer,
): Promise<string[]> {
  const lists = new Map<string, OperationRecord[]>();
  for (const node of cluster.running) lists.set(node.id, await node.control.operations(0));
  const broken = judge({
    lists,
    acknowledged: writers.flatMap((group) => group.acknowledged),
    refused: writers.flatMap((group) => group.refused),
    observed: observer?.operations ?? new Map(),
  });
  return [...(observer?.violations ?? []), ...broken];
}

/** Sentences about every law broken, the first ten by name; none for a good history. */
export function judge({ lists, acknowledged, refused, observed }: History): string[] {
  const broken: string[] = [];
  const [first, ...others] = lists;
  if (first === undefined) return ['no node is left'];
  const [firstId, reference] = first;
  for (const [id, list] of others)
    if (!isSameList(list, reference)) broken.push(`${id} and ${firstId} hold different lists`);
  const indexOf = new Map<string, number>();
  for (const { index, client, sequence } of reference) {
    const operation = `${client}/${sequence}`;
    if (indexOf.has(operation)) broken.push(`${operation} is at ${indexOf.get(operation)} and again at ${index}`);
    indexOf.set(operation, index);
  }
  for (const { client, sequence, index } of acknowledged) {
    const held = indexOf.get(`${client}/${sequence}`);
    if (held !== index)
      broken.push(`${client}/${sequence} was acknowledged at ${index} and is at ${held ?? 'no index'}`);
  }
  for (const { client, sequence, nodeId } of refused) {
    const held = indexOf.get(`${client}/${sequence}`);
    if (held !== undefined) broken.push(`${client}/${sequence} was refused by ${nodeId} and is at ${held}`);
  }
  for (const [index, operation] of observed) {
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
