/** What the servers of a devnet say themselves of their commits, beside what the console makes of it. */
import { onTestFinished } from 'vitest';
import { followEvents } from '#conductor/console/event-source';
import { localUrl } from '#conductor/devnet/plan';
import { RpcEndpoint } from '#conductor/operate/rpc-endpoint';
import type { DevnetProcess } from './devnet-process.ts';

/** When each block was committed first, by the streams of all servers. */
export function followCommits(devnet: DevnetProcess): ReadonlyMap<number, number> {
  const commits = new Map<number, number>();
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  for (const { ports } of devnet.nodes) {
    const endpoint = new RpcEndpoint(localUrl(ports.conductorRpc));
    const ignored = (): void => undefined;
    const onEvent = ({
      kind,
      data,
    }: {
      readonly kind: string;
      readonly data: Readonly<Record<string, unknown>>;
    }): void => {
      if (kind !== 'commit') return;
      const number = Number(data['number']);
      commits.set(number, Math.min(commits.get(number) ?? Infinity, Number(data['atMs'])));
    };
    void followEvents({ endpoint, lastId: null, onEvent, onState: ignored, onBreak: ignored }, ending.signal);
  }
  return commits;
}
