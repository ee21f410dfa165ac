/**
 * The own node's health in the middle of things: the monitor's verdicts go to the control loop, to the
 * metrics and the log, and as peer status to the peers (rule 16).
 */
import type { ConductorOptions, ConductorPorts } from './conductor-options.ts';
import { isUnset, type BlockRef, type CallResult, type NodeRequest } from './node/calls.ts';
import type { ControlLoop } from './control/loop.ts';
import { bitsOfKinds, OBSERVATIONS_MAX, type Observation } from './evidence/observation.ts';
import { isAgainst } from './evidence/proof.ts';
import type { OwnWord } from './evidence/observer.ts';
import type { unsafeHeadOf } from './health/checks.ts';
import { HealthLog } from './health/health-log.ts';
import { HealthMonitor } from './health/monitor.ts';
import { causes, type Cause, type Unhealthy, type Verdict } from './health/verdict.ts';
import type { RaftNode } from './raft/node.ts';

export interface NodeHealthHost {
  readonly control: ControlLoop;
  readonly raft: RaftNode;
  readonly observer: { readonly word: OwnWord; lookNow(): void };
  nowMs(): number;
  call(request: NodeRequest, then: (result: CallResult) => void): void;
  /** Height of the committed head; null while no payload is held. */
  committedHead(): bigint | null;
  /** The block was refused, and the log did not take it since (rpc/refused-blocks.ts). */
  isRefused(head: BlockRef): boolean;
}

/** Blocks by which a node that has no other trouble may be behind the committed head and still be worth a try. */
const lagBlocksMax = 10n;

export class NodeHealth {
  readonly monitor: HealthMonitor;
  readonly #ports: ConductorPorts;
  readonly #log: HealthLog;
  readonly #host: NodeHealthHost;
  /** null before the first round. */
  verdict: Verdict | null = null;
  #head: ReturnType<typeof unsafeHeadOf> = null;
  /** The last head that it told, whatever it has answered since. */
  #lastHead: ReturnType<typeof unsafeHeadOf> = null;
  /** The newest L1 block that the node has told of. */
  #l1: BlockRef | null = null;
  /** What it last told against committed blocks (rule 6), and whether it is held up: peers are told of a change at once. */
  #urgent = '';
  /** Said by the watchdog, and true until the client answers again. */
  #clientIsGone = false;

  constructor(options: ConductorOptions, ports: ConductorPorts, host: NodeHealthHost) {
    this.#ports = ports;
    this.#host = host;
    const { raft, healthIntervalMs: intervalMs } = options;
    this.#log = new HealthLog({ logger: ports.logger, serverId: raft.id, intervalMs });
    const { control } = host;
    const nowSeconds = (): number => Math.floor(ports.wallClock.unixMs() / 1000);
    this.monitor = new HealthMonitor(
      options.health,
      { intervalMs: options.healthIntervalMs, blockTimeMs: options.blockTimeMs },
      {
        nowMs: () => host.nowMs(),
        unixMs: () => ports.wallClock.unixMs(),
        call: (request, then) => host.call(request, then),
        startedAtSeconds: () => {
          const { startedAtMs } = control;
          return startedAtMs === null ? null : nowSeconds() - Math.floor((host.nowMs() - startedAtMs) / 1000);
        },
        commandEpoch: () => control.commandEpoch,
        verdict: (verdict, head, newestL1) => {
          // op-node tells of none while it is being reset.
          const l1 = newestL1 === null || isUnset(newestL1) ? null : newestL1;
          // What it left, and why, the peers need to hear (rule 6): the next look may be a block time away.
          if (isAnother(this.#l1, l1) || isAnother(this.#lastHead, head)) host.observer.lookNow();
          this.#l1 = l1 ?? this.#l1;
          this.#lastHead = head ?? this.#lastHead;
          this.#given(verdict, head);
        },
        observed: (active, commandEpoch) => control.observeActive(active, commandEpoch),
      },
    );
  }

  /** Height of the node's unsafe head, as last told; null while not known. */
  get headNumber(): number | null {
    return this.#head?.number ?? null;
  }

  /** The node's unsafe head, as last told; null while not known. */
  get head(): BlockRef | null {
    return this.#head === null ? null : { number: BigInt(this.#head.number), hash: this.#head.hash };
  }

  /** The node, or its client, stands on a block whose commit was refused; null where not, or where an operator has taken over. */
  get refusedHead(): BlockRef | null {
    const { control, observer, isRefused } = this.#host;
    if (control.isOverridden) return null;
    return [this.head, observer.word.client ?? null].find((one) => one !== null && isRefused(one)) ?? null;
  }

  /** The node or its client was asked out of turn, and does not answer (rule 31). */
  silent(verdict: Unhealthy): void {
    this.#given(verdict, this.#head);
  }

  /** Tells the peers how this node stands. */
  tellPeers(): void {
    const { control, raft } = this.#host;
    const peerStatus = {
      healthy: this.#eligibility(),
      paused: control.isPaused || control.isOverridden || control.isStopped,
      builds: control.isPaused && control.active === true,
      ends: control.isStopped,
      unsafeNumber: this.#head?.number ?? null,
      unsafeHash: this.#head === null ? null : Uint8Array.fromHex(this.#head.hash.slice(2)),
      l1Number: this.#l1 === null ? null : Number(this.#l1.number),
      ...statusOf(this.#host.observer.word),
    };
    const { observations, isHeldUp } = this.#host.observer.word;
    const against = observations.filter(isAgainst);
    const urgent = [isHeldUp, ...against.map(({ hash, kinds }) => `${hash} ${kinds.join(' ')}`)].join(',');
    raft.setLocalStatus(peerStatus, urgent !== this.#urgent);
    this.#urgent = urgent;
  }

  /**
   * Whether this node's sequencer could work, for the peers: null for not known. While nobody builds every
   * head is old: a follower's says nothing then, unless its node is far behind what is committed, and has not left that
   * (rule 19). Nor does what may be wrong with all at once, and keeps nobody from building (rule 18).
   */
  #eligibility(): boolean | null {
    const { verdict } = this;
    const { control, raft, committedHead } = this.#host;
    if (verdict === null) return null;
    const { startTrouble } = control;
    const { needsSync, isHeldUp, observations } = this.#host.observer.word;
    if (needsSync || isHeldUp || startTrouble === 'unfit') return false;
    if (this.refusedHead !== null) return false;
    if (verdict.isHealthy) return startTrouble === 'none' ? true : null;
    if (verdict.isMinor !== true || raft.position().role === 'leader') return false;
    const committed = committedHead();
    const head = this.headNumber;
    if (committed === null || head === null) return null;
    const isBehind = committed - BigInt(head) > lagBlocksMax && !observations.some(isAgainst);
    return isBehind ? false : null;
  }

  #given(verdict: Verdict, head: ReturnType<typeof unsafeHeadOf>): void {
    const { metrics, events } = this.#ports;
    const error = verdict.isHealthy ? '' : causes[verdict.cause];
    metrics.count('healthchecks_count', { success: String(verdict.isHealthy), error });
    this.#log.verdict(verdict, this.#host.nowMs());
    if (this.verdict === null || causeOf(this.verdict) !== causeOf(verdict)) {
      const detail = verdict.isHealthy ? '' : verdict.detail;
      events.publish({ kind: 'health', healthy: verdict.isHealthy, cause: error, detail });
    }
    const wasDown = isExecutionDown(this.verdict);
    const isDown = isExecutionDown(verdict);
    this.verdict = verdict;
    // From when on it was gone tells what it can have executed.
    if (isDown && !wasDown) this.#host.observer.lookNow();
    this.#clientIsGone = isDown && (this.#clientIsGone || verdict.clientIsGone === true);
    this.#head = head;
    const { client = null } = this.#host.observer.word;
    if (this.head !== null && client !== null) this.#host.control.nodeIsAt([this.head, client]);
    const { refusedHead } = this;
    if (refusedHead !== null) this.#host.control.publishesRefused(refusedHead);
    this.tellPeers();
    this.#host.control.verdictChanged(
      verdict.isHealthy
        ? { isHealthy: true, nodeAnswers: true }
        : {
            isHealthy: false,
            nodeAnswers: verdict.nodeAnswers,
            clientIsGone: this.#clientIsGone,
            mayRecover: verdict.cause !== 'rollupBoostPartial',
            isOnlyStale: verdict.isOnlyStale === true,
            isStale: verdict.isStale === true,
            headNumber: head === null ? null : BigInt(head.number),
          },
    );
  }
}

interface Told {
  readonly number: number | bigint;
  readonly hash: string;
}

/** A head is not above the one before, and another. */
function isAnother(before: Told | null, now: Told | null): boolean {
  if (before === null || now === null) return false;
  return now.number <= before.number && now.hash !== before.hash;
}

function isExecutionDown(verdict: Verdict | null): verdict is Unhealthy {
  return verdict?.isHealthy === false && verdict.cause === 'executionDown';
}

function statusOf({ client = null, safeNumber, observations }: OwnWord) {
  return {
    clientNumber: client === null ? null : Number(client.number),
    clientHash: client === null ? null : Uint8Array.fromHex(client.hash.slice(2)),
    safeNumber: safeNumber === null ? null : Number(safeNumber),
    observations: observations
      .filter(isTold)
      .slice(0, OBSERVATIONS_MAX)
      .map(({ number, hash, kinds }) => ({
        number: Number(number),
        hash: Uint8Array.fromHex(hash.slice(2)),
        kinds: bitsOfKinds(kinds),
      })),
  };
}

/** Heights that no rollup reaches are not told: a peer status has no room for them. */
function isTold({ number }: Observation): boolean {
  return number <= BigInt(Number.MAX_SAFE_INTEGER);
}

function causeOf(verdict: Verdict): Cause | null {
  return verdict.isHealthy ? null : verdict.cause;
}
