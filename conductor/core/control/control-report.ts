/**
 * Says in log and metrics what the control loop does. A line that is repeated in a state is said now and then, but counted
 * each time; of an alarm that lasts each count is an event that is published, too, so that it is counted when it is said.
 */
import type { Logger, Metrics } from '../ports.ts';
import type { BadSealAction } from './bad-seals.ts';
import type { BlockRef } from '../node/calls.ts';
import type { CatchUpOutcome } from './catch-up.ts';
import type { EndOfLogOutcome } from './end-of-log.ts';
import type { ControlHost, Standing } from './control-host.ts';
import type { WorkKind } from './control-state.ts';
import type { Decision } from './decide.ts';
import type { StartOutcome } from './start.ts';
import type { StopOutcome } from './stop.ts';
import type { TransferOutcome } from './transfer.ts';

/** Texts remembered per state; of more, those that were said longest ago are forgotten, and repeated. */
const saidMax = 64;
/** What lasts is said again after this long: alert rules and runbooks look at the last five minutes. Milliseconds. */
export const alarmAgainMs = 60_000;

/** What a chain without a committed block needs: which block is the first to build on is nobody's to guess (rule 19). */
const noHead =
  'no unsafe head: no block was ever committed. Start the sequencer of this server by hand once, on the newest block of its client: cast rpc admin_startSequencer HASH --rpc-url <op-node>';

/** What op-conductor says before it does these. */
const beginnings: Partial<Record<WorkKind, string>> = {
  start: 'starting sequencer',
  stop: 'stopping sequencer',
  dropJob: 'stopping sequencer',
  transfer: 'transferring leadership',
};

interface State {
  readonly isLeader: boolean;
  readonly isHealthy: boolean;
  readonly isActive: boolean;
}

export class ControlReport {
  readonly #selfId: string;
  readonly #metrics: Metrics;
  readonly #logger: Logger;
  #lastState: State | null = null;
  /** When each text was said last in this state, the latest at the end. */
  readonly #saidAtMs = new Map<string, number>();
  /** What has been left to the operator since leadership was overridden last. */
  readonly #left = new Set<string>();

  readonly #nowMs: () => number;
  readonly #whoStandsWhere: () => string | undefined;

  constructor(selfId: string, host: Pick<ControlHost, 'nowMs' | 'metrics' | 'logger' | 'whoStandsWhere'>) {
    this.#selfId = selfId;
    this.#nowMs = () => host.nowMs();
    this.#metrics = host.metrics;
    this.#logger = host.logger;
    this.#whoStandsWhere = () => host.whoStandsWhere?.();
  }

  state(isLeader: boolean, isHealthy: boolean, isActive: boolean): void {
    const last = this.#lastState;
    if (last?.isLeader === isLeader && last.isHealthy === isHealthy && last.isActive === isActive) return;
    this.#lastState = { isLeader, isHealthy, isActive };
    this.#saidAtMs.clear();
    this.#metrics.count('state_changes_count', {
      leader: String(isLeader),
      healthy: String(isHealthy),
      active: String(isActive),
    });
    if (last !== null) {
      const states = { prev_state: wordsOf(last), new_state: wordsOf(this.#lastState) };
      this.#logger.log('info', 'state changed', states);
    }
    if (!isLeader && !isHealthy && !isActive) {
      this.#logger.log('error', 'server (follower) is not healthy: it cannot take over', {});
    }
  }

  /** Before it is done; what is tried again and again in a state is said once a minute. */
  begins(kind: WorkKind): void {
    const message = beginnings[kind];
    if (message === undefined || this.#lastState === null) return;
    const { isLeader: leader, isHealthy: healthy, isActive: active } = this.#lastState;
    this.#say('info', message, { server: this.#selfId, leader, healthy, active });
  }

  /** Something that needs an operator; the line says where all nodes stand. May be told again and again while it lasts. */
  alarm(kind: string, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    if (!this.#isDue(message, fields)) return;
    this.#metrics.count('alarms_total', { kind });
    const nodes = this.#whoStandsWhere();
    this.#logger.log('error', message, nodes === undefined ? fields : { ...fields, nodes });
  }

  /** The sequencer commits nothing while its node and client answer (rule 31). */
  headStands({ kind, waitsFor = 'L1', l1Number, safeNumber }: Standing): void {
    const fields = { l1: l1Number, safe: safeNumber };
    if (waitsFor === 'another server')
      return this.alarm(
        'no-healthy-peer',
        'the head stands: the op-node is held up, and no other server is fit',
        fields,
      );
    const text =
      kind === 'own'
        ? 'the head stands while node and client answer'
        : `the head stands for a reason that other leaders share: leadership stays until ${waitsFor} goes on`;
    this.#logger.log('warn', text, fields);
  }

  /** The head stands, and leadership stays for want of another leader. */
  standingJobDropped(): void {
    this.#logger.log(
      'warn',
      'the head stands and nobody can take over: the sequencer is stopped and started again',
      {},
    );
  }

  /** An override begins: what is left undone from now on is said once. */
  overridden(): void {
    this.#left.clear();
  }

  /** op-node does not tell whether it was overridden: that its blocks come and are not offered shows it. */
  risesUncommitted({ number, hash }: BlockRef, tip: BlockRef | null): void {
    const message =
      'the head of the node rises, and op-node offers nothing for commit: restart it if admin_overrideLeader was called there';
    this.alarm('uncommitted', message, { number, hash, committed: tip?.hash, committedNumber: tip?.number });
  }

  /** op-node never does: a node that inserts a block whose commit failed may publish it, too. */
  publishesRefused({ number, hash }: BlockRef, tip: BlockRef | null): void {
    const message =
      'the node stands on a block whose commit was refused: it may publish what no log has. Stop it, unless admin_overrideLeader was called there';
    this.alarm('uncommitted', message, { number, hash, committed: tip?.hash, committedNumber: tip?.number });
  }

  /** Leadership is overridden: what the loop would do now is not done. */
  leftToOperator({ action }: Decision): void {
    if (action === 'start' || action === 'transfer')
      this.alarm(
        'override-idle',
        'this server leads, but leadership is overridden: its sequencer is left to the operator',
      );
    if (this.#left.has(action)) return;
    this.#left.add(action);
    if (action === 'stop' || action === 'stopAndTransfer')
      this.#logger.log('warn', 'leadership is overridden: the sequencer goes on as the operator started it', {});
  }

  /** Before an operator starts the sequencer: it builds above what the log ends in, or beside it. */
  endOfLogDone(outcome: EndOfLogOutcome, end: BlockRef | null): void {
    if (outcome.kind === 'atTip')
      this.#logger.log('info', 'the node holds what this log ends in', { number: end?.number, hash: end?.hash });
    if (outcome.kind !== 'stuck' && outcome.kind !== 'otherBranch') return;
    const text = 'the node does not hold what this log ends in: a sequencer started now may build beside it';
    const err = outcome.kind === 'stuck' ? outcome.message : `the node is at ${outcome.theirs.hash}`;
    this.alarm('override-behind', text, { number: end?.number, hash: end?.hash, err });
  }

  startDone(outcome: StartOutcome): void {
    this.#metrics.count('sequencer_starts_count', { success: String(outcome.kind === 'started') });
    switch (outcome.kind) {
      case 'started': {
        const { head, wasRunning, gapBlocks, isOnOtherBranch } = outcome;
        if (gapBlocks > 0) this.#logger.log('warn', 'started beyond the committed head', { gapBlocks });
        if (isOnOtherBranch) {
          const message = 'started below the committed head: what stands above is proved to be given up';
          this.#logger.log('warn', message, { number: head.number, hash: head.hash });
        }
        this.#logger.log('info', 'sequencer started', { number: head.number, hash: head.hash, wasRunning });
        return;
      }
      case 'otherBranch':
        this.alarm('other-branch', 'the node is on another branch than the committed chain: not started', {
          committed: outcome.ours.hash,
          node: outcome.theirs.hash,
          number: outcome.theirs.number,
        });
        return;
      case 'disputed':
        this.rollbackRefused(outcome.why);
        return;
      case 'lostLeadership':
        this.#logger.log('info', outcome.message, {});
        return;
      default:
        this.#say('error', 'failed to start sequencer', {
          err: outcome.kind === 'noHead' ? noHead : outcome.message,
        });
    }
  }

  /** Catch-up of a node that sequences beside the committed chain (rule 3). */
  catchUpDone(outcome: CatchUpOutcome, tip: BlockRef | null): void {
    if (outcome.kind === 'stuck') {
      const committed = { committed: tip?.hash, committedNumber: tip?.number };
      this.alarm('node-off', 'the node does not take the committed payloads', { err: outcome.message, ...committed });
    } else if (outcome.kind === 'otherBranch') {
      this.alarm('other-branch', 'the node sequences on another branch than the committed chain', {
        committed: outcome.ours.hash,
        node: outcome.theirs.hash,
        number: outcome.theirs.number,
      });
    } else {
      this.#logger.log('info', 'brought the node back to the committed chain', {});
    }
  }

  /** The own client refuses what the own sequencer builds (rule 29). */
  badSeal(action: BadSealAction, { number, hash }: BlockRef, err: string): void {
    const doing: Readonly<Record<BadSealAction, string>> = {
      none: '',
      dropJob: 'its job is dropped',
      handOver: 'leadership goes to another server',
      recover: 'blocks are built without transactions of the pool',
      dropLater: 'there is no other server to try, its job is dropped again and again',
    };
    if (action === 'none') return;
    this.#metrics.count('bad_seals_total', { action });
    if (action === 'dropJob') {
      this.#logger.log('warn', 'the sequencer sealed an invalid block', { number, hash, doing: doing[action], err });
      return;
    }
    this.alarm('bad-seals', `the sequencer seals invalid blocks: ${doing[action]}`, { number, hash, err });
  }

  /** The rollup has left the committed chain, and the log may not follow it (rule 6). */
  rollbackRefused(why: string): void {
    this.alarm('rollback-refused', 'the rollup has left the committed chain, and the log cannot follow it', {
      err: why,
    });
  }

  stopDone(outcome: StopOutcome): void {
    this.#metrics.count('sequencer_stops_count', { success: String(outcome.kind === 'stopped') });
    if (outcome.kind === 'stopped') this.#logger.log('info', 'stopped sequencer', { wasRunning: outcome.wasRunning });
    else this.#say('error', 'failed to stop sequencer, trying until it is confirmed', { err: outcome.message });
  }

  transferDone({ isDone, message, server }: TransferOutcome): void {
    this.#metrics.count('leader_transfers_count', { success: String(isDone) });
    const target = server ?? '';
    if (isDone) this.#logger.log('info', 'transferred leadership', { target });
    else this.#say('error', 'failed to transfer leadership to another server', { err: message, target });
  }

  /** Not said lately in this state; what makes a line the same as one before are its message and its error. */
  #isDue(message: string, fields: Readonly<Record<string, unknown>>): boolean {
    const text = `${message} ${String(fields['err'] ?? '')}`;
    const nowMs = this.#nowMs();
    if (nowMs - (this.#saidAtMs.get(text) ?? -Infinity) < alarmAgainMs) return false;
    this.#saidAtMs.delete(text);
    if (this.#saidAtMs.size >= saidMax) this.#saidAtMs.delete(this.#saidAtMs.keys().next().value!);
    this.#saidAtMs.set(text, nowMs);
    return true;
  }

  /** What may be there at every look. */
  #say(level: 'error' | 'info', message: string, fields: Readonly<Record<string, unknown>>): void {
    this.#logger.log(this.#isDue(message, fields) ? level : 'debug', message, fields);
  }
}

/** As op-conductor writes a state. */
function wordsOf({ isLeader, isHealthy, isActive }: State): string {
  return `leader: ${isLeader}, healthy: ${isHealthy}, active: ${isActive}`;
}
