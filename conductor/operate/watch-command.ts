/** `conductor watch`: the status, drawn again and again, and what changed below; without a terminal only the changes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterEvent } from './changes/cluster-event.ts';
import { readKeys } from '#conductor/cli/terminal/keys';
import { BlockThinning, formatEvent } from './changes/line-output.ts';
import { Screen } from '#conductor/cli/terminal/screen';
import { ClusterChanges } from './cluster-changes.ts';
import { describeCluster } from './cluster-summary.ts';
import type { ClusterView } from './cluster-view.ts';
import { exitCodes } from './exit-codes.ts';
import { blockSecondsOf, type ClusterAccess } from './observe.ts';
import type { OperatorCommand, OperatorTask } from './operator-command.ts';
import { watchFrame } from './watch-frame.ts';

const LOOK_EVERY_MS = 500;
/** Changes kept for the screen. */
const EVENTS_MAX = 200;
/** Without a terminal one in so many blocks is a line. */
const REPORTED_BLOCKS = 10;
const BLOCK_SECONDS_FALLBACK = 2;

export const watchCommand: OperatorCommand = {
  name: 'watch',
  description: 'follow the cluster: the status, and below it what changes',
  kind: 'look',
  details: `Looks twice a second. Without a terminal, and with --json, it prints one line
per change: elections, members, who sequences, health, pauses, gaps between
blocks, two blocks at one height. On a small terminal it shows who leads, a row
for each server, and how many sentences "conductor status" has. q or Ctrl-C ends
it.`,
  examples: ['conductor watch', 'conductor watch --json | grep --line-buffered leader'],
  run: (task) => (task.output.isTerminal && process.stdin.isTTY ? watchOnScreen(task) : watchInLines(task)),
};

async function watchInLines({ access, output }: OperatorTask): Promise<number> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  // Whoever reads may have enough.
  process.stdout.on('error', () => stop.abort());
  const thinning = new BlockThinning(REPORTED_BLOCKS);
  let isFirst = true;
  await follow(access, stop.signal, (view, events) => {
    if (isFirst) tell({ kind: 'action', atMs: view.atMs, text: describeCluster(view), fields: {} });
    isFirst = false;
    for (const event of events.filter((one) => thinning.admits(one))) tell(event);
  });
  return exitCodes.interrupted;

  function tell(event: ClusterEvent): void {
    const { atMs, kind, text, fields } = event;
    output.json({ t: new Date(atMs).toISOString(), event: kind, msg: text, ...fields });
    output.line(formatEvent(event));
  }
}

async function watchOnScreen({ access, output, config }: OperatorTask): Promise<number> {
  const stop = new AbortController();
  const screen = new Screen(output.hasColour);
  let latest: ClusterView | null = null;
  let changes: ClusterEvent[] = [];
  const draw = (): void => {
    if (latest !== null) screen.draw(watchFrame({ name: config.name, view: latest, changes }, screen.size));
  };
  screen.open({
    onInput: (chunk) => {
      if (readKeys(chunk).some(({ kind }) => kind === 'quit')) stop.abort();
    },
    onResize: draw,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  try {
    await follow(access, stop.signal, (view, events) => {
      latest = view;
      changes = [...changes, ...events.filter(({ kind }) => kind !== 'block')].slice(-EVENTS_MAX);
      draw();
    });
  } finally {
    screen.close();
  }
  return exitCodes.done;
}

/** Looks at regular intervals until the signal. */
async function follow(
  access: ClusterAccess,
  signal: AbortSignal,
  onView: (view: ClusterView, events: readonly ClusterEvent[]) => void,
): Promise<void> {
  let changes: ClusterChanges | null = null;
  while (!signal.aborted) {
    const view = await access.observe();
    if (signal.aborted) return;
    changes ??= new ClusterChanges((await blockSecondsOf(access, view)) ?? BLOCK_SECONDS_FALLBACK);
    onView(view, changes.advance(view));
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
