/**
 * The parts that look at the own node and decide: evidence, health, the control loop and its watchdog, each given what it may
 * see of the others.
 */
import { isAmongFirstFollowers, leftByLeader, logEndView } from './cluster-view.ts';
import { ControlLoop } from './control/loop.ts';
import type { BlockRef } from './node/calls.ts';
import type { Ending } from './node/procedure.ts';
import { Evidence, type EvidenceHost } from './evidence/evidence.ts';
import { votersOf } from './raft/quorum.ts';
import { untriedUnder } from './control/standing-head.ts';
import type { Peer } from './control/target.ts';
import { CommitWatchdog } from './control/watchdog.ts';
import { NodeHealth } from './node-health.ts';
import { withOrderEvents } from './order-events.ts';
import type { PayloadCommits } from './rpc/commit.ts';
import { wordsOfStuckClient } from './stuck-client.ts';
import type { Dependencies, Judgement } from './components.ts';

/** How the own node, and those of the other voters, take what is committed (rule 6). */
export function buildEvidence(
  { options, ports, view, chain, raft, members, procedures, time }: Dependencies,
  rest: Pick<EvidenceHost, 'mayPost' | 'mayAct' | 'builds' | 'changed'>,
): Evidence {
  const { metrics, logger } = ports;
  const nodeOff = (
    message: string,
    head: BlockRef,
    tip: BlockRef,
    more: Readonly<Record<string, string>> = {},
  ): void => {
    metrics.count('alarms_total', { kind: 'node-off' });
    const where = { head: head.hash, committed: tip.hash, committedNumber: tip.number };
    logger.log('error', message, { ...where, ...more });
  };
  return new Evidence(options.blockTimeMs, {
    ...procedures,
    ...rest,
    hasEngine: options.hasEngine,
    hasL1: options.hasL1,
    rollback: options.rollback,
    chain: view,
    logEnd: () => chain.pendingTip()?.number ?? null,
    selfId: options.raft.id,
    isVoter: () => votersOf(raft.status().configuration.configuration).includes(options.raft.id),
    peers: members,
    leftByLeader: () => leftByLeader(raft.leaderStatus, time.nowMs - options.raft.heartbeatTimeoutMs),
    leads: () => raft.position().role === 'leader',
    isFirstFollower: () => isAmongFirstFollowers(raft.status()),
    stuck: (head, tip, why) => {
      const { message, ...more } = wordsOfStuckClient(head, why);
      nodeOff(message, head, tip, more);
    },
    heldUp: (head, tip) => {
      nodeOff('op-node takes no committed blocks: its driver loop waits for L1 or the execution client', head, tip);
    },
    refilling: ({ number }, { number: to, hash }) => {
      logger.log('warn', 'the execution client has lost its head: it is given what it lacks', { number, to, hash });
    },
    forgot: ({ number, hash }) => {
      const message = 'the execution client has dropped blocks of which it had lost the states: it is given them again';
      logger.log('warn', message, { number, hash });
    },
  });
}

/** Where the sequencer is started, stopped, brought up, handed over. */
export function buildControl(dependencies: Dependencies, judged: Judgement): ControlLoop {
  const { options, ports, chain, view, raft, members } = dependencies;
  const procedures = withOrderEvents(dependencies.procedures, ports.events);
  const { metrics, logger, random } = ports;
  /** What a command came to may ask for another. */
  const again =
    (then: (ending: Ending) => void) =>
    (ending: Ending): void => {
      then(ending);
      control.reconcile();
    };
  const control: ControlLoop = new ControlLoop(
    {
      ...options,
      selfId: options.raft.id,
      unsafeIntervalMs: options.health.unsafeIntervalSeconds * 1000,
      mayRecover: options.recoverMode === 'auto',
    },
    {
      ...procedures,
      read: (then) => procedures.read(again(then)),
      transfer: (target, exclude, then) => procedures.transfer(target, exclude, again(then)),
      metrics,
      logger,
      chain: view,
      endOfLog: logEndView(chain),
      random: () => random.next(),
      peers: members,
      ...judged,
      hasEngine: options.hasEngine,
      isLeaderOf: (term) => {
        const status = raft.status();
        return status.role === 'leader' && status.isSure && status.term === term && !status.isTransferring;
      },
    },
  );
  return control;
}

/** Whether the own node is eligible to lead, and what peers are told of it. */
export function buildHealth(dependencies: Dependencies, control: ControlLoop, evidence: Evidence): NodeHealth {
  const { options, ports, time, outbox, chain, refusedBlocks, raft } = dependencies;
  return new NodeHealth(options, ports, {
    control,
    raft,
    observer: evidence,
    nowMs: () => time.nowMs,
    call: (request, then) => outbox.call(request, then),
    committedHead: () => chain.tip()?.number ?? null,
    isRefused: (head) => refusedBlocks.has(head),
  });
}

/** Whether the own sequencer commits (rule 31). */
export function buildWatchdog(
  dependencies: Dependencies,
  control: ControlLoop,
  health: NodeHealth,
  evidence: Evidence,
  commits: PayloadCommits,
): CommitWatchdog {
  const { options, ports, time, outbox, chain, raft, members } = dependencies;
  return new CommitWatchdog(options.blockTimeMs, {
    nowMs: () => time.nowMs,
    unixMs: () => ports.wallClock.unixMs(),
    call: (request, then) => outbox.call(request, then),
    state: () => {
      const { term } = raft.position();
      const isOverdue = commits.isOverdueIn(term);
      const isBusy = control.isBusy || (commits.inFlight > 0 && !isOverdue);
      return { term, isSequencing: control.isSequencing, isBusy, isOverdue };
    },
    tip: () => chain.tip(),
    peersL1Number: () => highest(members().flatMap(({ known }) => known?.l1Number ?? [])),
    peersSafeNumber: () => highest(members().flatMap(({ known }) => known?.safeNumber ?? [])),
    isLeftToTry: (head) => untriedUnder(head, members()).length > 0,
    wasTried: ({ sinceMs }) =>
      members().some(({ isVoter, ceasedLeadingAtMs }) => isVoter && (ceasedLeadingAtMs ?? -Infinity) >= sinceMs),
    heldUpWith: () => (evidence.isHeldUp ? unfitOf(members()) : 'nobody'),
    needsSync: () => evidence.needsSync,
    silent: (verdict) => health.silent(verdict),
    stands: (standing) => control.headStands(standing),
    standsOnAnothers: () => evidence.headStands(),
    risesUncommitted: (head) => control.headRisesUncommitted(head),
    goesOn: () => control.headGoesOn(),
  });
}

/** Who of the voters that are heard is known to be unfit. */
function unfitOf(peers: readonly Peer[]): 'nobody' | 'some' | 'all' {
  const heard = peers.filter(({ isVoter, isInContact }) => isVoter && isInContact);
  const unfit = heard.filter(({ known }) => known?.isHealthy === false);
  return unfit.length === 0 ? 'nobody' : unfit.length < heard.length ? 'some' : 'all';
}

function highest(numbers: readonly bigint[]): bigint | null {
  return numbers.reduce<bigint | null>((most, one) => (most === null || one > most ? one : most), null);
}
