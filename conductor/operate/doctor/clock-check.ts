/**
 * Clocks: this machine's against those of the processes it talks to, and against the newest blocks, which are never
 * from the future. A sequencer is judged by the age of its newest block, so a wrong clock moves leadership.
 */
import { findingsOf, sectionLink, type Finding } from './finding.ts';
import { resultOf, type Asked } from './asked.ts';
import type { Subject } from './subject.ts';

const { good, warning, bad, unseen } = findingsOf('clock');
/** What the Date header cannot tell, and what delays an answer. */
const offsetMsWarning = 2000;
const offsetMsBad = 5000;
/** A block may be made a little before its time. */
const futureSecondsMax = 2;

/** `peers` are other conductors of the cluster, where they are known. */
export function checkClocks({ node, execution }: Subject, peers: readonly Asked[], nowMs: number): Finding[] {
  const others = [node, execution, ...peers].filter(({ clockAheadMs }) => clockAheadMs !== null);
  const findings = others.flatMap((other) => compare(other));
  const named = others.map(({ url }) => hostOf(url)).join(', ');
  if (others.length === 0) findings.push(unseen('no server that answers tells its time'));
  else if (findings.length === 0) findings.push(good(`this clock agrees with those of ${named}`));
  return [...findings, ...fromTheFuture(node, nowMs)];
}

function compare({ url, clockAheadMs }: Asked): Finding[] {
  const ahead = clockAheadMs ?? 0;
  if (Math.abs(ahead) <= offsetMsWarning) return [];
  const says = `the clock of ${hostOf(url)} is ${(Math.abs(ahead) / 1000).toFixed(1)} s ${ahead > 0 ? 'ahead of' : 'behind'} the one here`;
  const advice = 'Synchronise the clocks of all servers (chrony, systemd-timesyncd).';
  return [(Math.abs(ahead) > offsetMsBad ? bad : warning)(says, advice, sectionLink('guarantees'))];
}

function fromTheFuture(node: Asked, nowMs: number): Finding[] {
  const status = (resultOf(node, 'optimism_syncStatus') ?? {}) as Record<
    string,
    { timestamp?: unknown } | null | undefined
  >;
  const heads = [
    ['L2', status['unsafe_l2']?.timestamp],
    ['L1', status['head_l1']?.timestamp],
  ] as const;
  return heads.flatMap(([chain, timestamp]) => {
    const ahead = typeof timestamp === 'number' ? timestamp - nowMs / 1000 : 0;
    if (ahead <= futureSecondsMax) return [];
    return [
      bad(
        `the newest ${chain} block is ${Math.round(ahead)} s in the future: the clock here is behind`,
        'Synchronise the clock.',
        sectionLink('guarantees'),
      ),
    ];
  });
}

/** Without user and password. */
function hostOf(url: string | null): string {
  return url === null ? '' : new URL(url).host;
}
