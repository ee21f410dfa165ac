/** What conductors say themselves of their commits, beside what the console makes of it. */
import { onTestFinished } from 'vitest';
import { followEvents } from '#conductor/console/event-source';
import { RpcEndpoint } from '#conductor/operate/rpc-endpoint';

/** When each block was committed first, by the streams of the conductors with these URLs, until the test has ended. */
export function followCommits(urls: readonly string[]): ReadonlyMap<number, number> {
  const commits = new Map<number, number>();
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  for (const url of urls) {
    const endpoint = new RpcEndpoint(url);
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
