/**
 * The orderly end, by a signal or by conductor_stop (rule 21): begun once, bounded, with an answer to
 * every conductor_stop and an exit at its end.
 */
import { isMajorityWithoutUs } from './cluster-view.ts';
import type { ConductorOptions } from './conductor-options.ts';
import { drain } from './control/drain.ts';
import type { ControlLoop } from './control/loop.ts';
import { Procedure, type ProcedureHost } from './node/procedure.ts';
import type { TransferTarget } from './control/target.ts';
import type { Outbox } from './outbox.ts';
import type { Logger } from './ports.ts';
import type { RaftStatus } from './raft/status.ts';
import type { PayloadCommits } from './rpc/commit.ts';
import { nothing } from './rpc/outcomes.ts';

export interface ShutdownHost {
  readonly options: ConductorOptions;
  readonly logger: Logger;
  readonly control: ControlLoop;
  readonly commits: PayloadCommits;
  readonly outbox: Outbox;
  readonly procedures: ProcedureHost;
  status(): RaftStatus;
  /** Brings raft's time up to this moment: what it sends from now on is dated so. */
  tick(): void;
  tellPeers(): void;
  /** Whom leadership should go to. */
  transferTarget(): TransferTarget;
}

export class Shutdown {
  readonly #host: ShutdownHost;
  readonly #stopAnswers: number[] = [];
  #run: Procedure<readonly string[]> | null = null;
  #isOver = false;

  constructor(host: ShutdownHost) {
    this.#host = host;
  }

  /** conductor_stop: answered when the end is reached. */
  stop(answerId: number): void {
    if (this.#isOver) this.#host.outbox.answer(answerId, nothing);
    else this.#stopAnswers.push(answerId);
    this.begin('conductor_stop');
  }

  begin(reason: string): void {
    if (this.#run !== null) return;
    const { options, logger, control, commits, procedures, status, transferTarget } = this.#host;
    logger.log('info', 'stopping OpConductor', { reason });
    // A paused follower's sequencer is somebody else's business, and so is one under an override, also one that comes now.
    const isOurs = !control.isPaused || status().role === 'leader';
    control.shutDown();
    commits.close();
    this.#host.tick();
    this.#host.tellPeers();
    const steps = drain({
      nowMs: () => procedures.nowMs(),
      commitWaitMs: options.blockTimeMs,
      tellWaitMs: options.raft.leaderLeaseMs,
      commitsInFlight: () => commits.inFlight,
      isLeader: () => status().role === 'leader',
      hasOrderInFlight: () => control.hasOrderInFlight,
      mayBeActive: () => isOurs && !control.isOverridden && (control.active !== false || control.hasOrderInFlight),
      transferTarget,
      isOverridden: () => control.isOverridden,
      isTellingEnd: () => status().isTellingEnd,
      isMajorityWithoutUs: (ageMaxMs) => isMajorityWithoutUs(status(), ageMaxMs),
    });
    this.#run = new Procedure(steps, procedures, (problems) => {
      const left = control.isOverridden ? ['the sequencer was left to the operator: leadership is overridden'] : [];
      this.#reached([...problems, ...left]);
    });
    this.#run.begin();
  }

  tick(): void {
    this.#run?.tick();
  }

  deadlineMs(): number {
    return this.#run?.deadlineMs() ?? Infinity;
  }

  #reached(problems: readonly string[]): void {
    const { commits, logger, outbox } = this.#host;
    this.#isOver = true;
    commits.giveUp('shutting-down');
    for (const problem of problems) logger.log('warn', problem, {});
    for (const answerId of this.#stopAnswers.splice(0)) outbox.answer(answerId, nothing);
    logger.log('info', 'OpConductor stopped', {});
    outbox.exit = { code: 0, message: problems.join('; ') };
  }
}
