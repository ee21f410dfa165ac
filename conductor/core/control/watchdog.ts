/**
 * The watchdog on commits (rule 31). A leader whose sequencer is active and has committed nothing for two block times
 * and a quarter of a second asks its node and its client at once. Silence is unhealthy now. A head that merely stands
 * costs leadership once per cause and voter: where it stood under all that could lead, or L1 itself stands, moving on is
 * no help, and leadership stays until L1 has gone on; or the safe head, where each start was worth one block: a sequencer
 * that is too far ahead of that builds one whenever it is started (op-node v1.19.6, sequencer.go: forceStart). An L1 that
 * answers nobody strikes one op-node after the other, which is waited for. A head that rises without commits is told, too:
 * an op-node that was told admin_overrideLeader publishes what it builds, and offers none of it until it is restarted. A payload
 * that is pending is waited for, but not for ever: where packets of full size are lost, heartbeats are answered and entries never are.
 */
import { judgeClient, judgeNode, timestampOf } from '../health/checks.ts';
import {
  readL1Number,
  readSyncHead,
  syncStatus,
  type BlockRef,
  type CallResult,
  type NodeRequest,
} from '../node/calls.ts';
import { aliveProbe } from '../node/engine-calls.ts';
import type { Standing } from './control-host.ts';
import { newReign, type Reign } from './reign.ts';
import { isBeyond } from './target.ts';
import type { StandingHead } from './standing-head.ts';
import type { WatchdogHost } from './watchdog-host.ts';

/** Nothing committed for so many block times, and so much longer, is a reason to ask. */
const quietBlocks = 2;
const quietMarginMs = 250;
/** What holds up every op-node, as L1 does that answers nobody, holds up the last of them so much later, and lets it go. */
const heldUpSpreadMs = 900;
/** Between two looks, while some are, and while all are held up; milliseconds. */
const someHeldUpLookMs = 150;
const allHeldUpLookMs = 500;
/** A head that has stood for so many block times before we led stood under another leader; followers hear of commits late. */
const stoodBlocks = 1.5;
/** Who is alive answers within this, milliseconds. */
const answerTimeoutMs = 300;
/** op-node builds no further ahead of L1: 1800 s since Fjord, less what a sequencer keeps back (--sequencer.l1-confs). Seconds. */
const sequencerDriftSeconds = 1620;
/** The safe head is waited for no longer: it may not be the cause, and a batcher may wait for more blocks (--max-channel-duration=0). */
const safeHeadWaitMaxMs = 600_000;

const questions: readonly NodeRequest[] = [
  { ...syncStatus, timeoutMs: answerTimeoutMs, isProbe: true },
  { ...aliveProbe('execution'), timeoutMs: answerTimeoutMs },
];

export class CommitWatchdog {
  readonly #host: WatchdogHost;
  readonly #blockTimeMs: number;
  #tipHash = '';
  #tipSinceMs: number;
  /** Since when each block has come alone, a while after the one before; null while one follows the other. */
  #aloneSinceMs: number | null = null;
  /** How far the wall clock was ahead of the monotonic one when the tip came, milliseconds. */
  #clockAheadMs: number;
  #reign: Reign | null = null;
  #askAtMs = Infinity;
  /** Questions under way, with what was answered. */
  #asked: Map<NodeRequest, CallResult> | null = null;

  constructor(blockTimeMs: number, host: WatchdogHost) {
    this.#blockTimeMs = blockTimeMs;
    this.#host = host;
    this.#tipSinceMs = host.nowMs();
    this.#clockAheadMs = host.unixMs() - host.nowMs();
  }

  /** A payload of the own sequencer was committed. */
  committed(): void {
    if (this.#reign === null) return;
    this.#reign.commits += 1;
    this.#reign.l1Number = null;
  }

  /**
   * The own sequencer offered a payload, which was refused: it builds, and what becomes of it is rule 3's; not beside one that is
   * overdue, beside which every other one is refused.
   */
  offered(): void {
    if (!this.#host.state().isOverdue) this.#begunAnew();
  }

  /** To be called after anything may have changed. */
  review(): void {
    const { term, isSequencing, isBusy, isOverdue } = this.#host.state();
    const nowMs = this.#host.nowMs();
    const tip = this.#host.tip();
    if (tip !== null && tip.hash !== this.#tipHash) {
      const isAlone = nowMs - this.#tipSinceMs >= stoodBlocks * this.#blockTimeMs;
      this.#aloneSinceMs = isAlone ? (this.#aloneSinceMs ?? nowMs) : null;
      this.#tipHash = tip.hash;
      this.#tipSinceMs = nowMs;
      this.#clockAheadMs = this.#host.unixMs() - nowMs;
      if (this.#reign !== null) this.#host.goesOn();
      this.#begunAnew();
    }
    if (!isSequencing || tip === null) {
      this.#begunAnew();
      this.#reign = null;
      this.#askAtMs = Infinity;
    } else if (isBusy) {
      if (this.#reign !== null) this.#reign.aboveTip = null;
      this.#asked = null;
      this.#askAtMs = Infinity;
    } else if (this.#askAtMs === Infinity && isOverdue) this.#askAtMs = nowMs;
    else if (this.#askAtMs === Infinity) this.#wait(nowMs);
    if (isSequencing && this.#reign?.term !== term) this.#reign = newReign(term, nowMs);
  }

  #answered(asked: Map<NodeRequest, CallResult>): void {
    const [status, client] = questions.map((one) => asked.get(one));
    if (this.#asked !== asked || status === undefined || client === undefined) return;
    this.#asked = null;
    this.#judge(status, client);
  }

  tick(): void {
    const tip = this.#host.tip();
    const nowMs = this.#host.nowMs();
    if (this.#asked !== null || tip === null || nowMs < this.#askAtMs) return;
    const unixMs = this.#host.unixMs();
    const aheadMs = Number(tip.timestamp) * 1000 - unixMs;
    // A sequencer whose clock was set back waits for it, and no other has to.
    const wasSetBack = this.#clockAheadMs - (unixMs - nowMs) > quietBlocks * this.#blockTimeMs;
    if (aheadMs > 0 && !wasSetBack) return this.#wait(nowMs + aheadMs);
    this.#askAtMs = nowMs + this.#blockTimeMs;
    const asked = new Map<NodeRequest, CallResult>();
    this.#asked = asked;
    for (const question of questions) {
      this.#host.call(question, (result) => {
        asked.set(question, result);
        this.#answered(asked);
      });
    }
  }

  /** When `tick` wants to be called. */
  nextDeadlineMs(): number {
    return this.#asked === null ? this.#askAtMs : Infinity;
  }

  #judge(status: CallResult, client: CallResult): void {
    const silent = judgeNode(status) ?? judgeClient(client);
    const isGone = status.kind === 'result' && client.kind === 'failed' && client.reason === 'refused';
    if (silent !== null) return this.#host.silent(isGone ? { ...silent, clientIsGone: true } : silent);
    if (status.kind !== 'result') return;
    const head = { number: this.#host.tip()?.number ?? 0n, sinceMs: this.#aloneSinceMs ?? this.#tipSinceMs };
    const unsafe = readSyncHead(status.value, 'unsafe_l2');
    if (unsafe !== null && this.#risesAbove(unsafe, head)) this.#host.risesUncommitted(unsafe);
    // A node that is elsewhere, after a reset or because it did not take the head, is rule 3's.
    if (unsafe?.hash !== this.#tipHash && !this.#hangsBelow(unsafe, head)) return this.#host.stands(null);
    const safeNumber = readSyncHead(status.value, 'safe_l2')?.number ?? null;
    const l1Number = readL1Number(status.value);
    const standing = { l1Number, safeNumber, head };
    if (this.#isWorthOneBlock(head)) {
      const hasWaited = this.#host.nowMs() - this.#tipSinceMs >= safeHeadWaitMaxMs;
      const mayMoveOn = hasWaited || this.#hasSafeHeadGoneOn(safeNumber, head.number);
      return this.#host.stands(mayMoveOn ? null : { kind: 'common', waitsFor: 'the safe head', ...standing });
    }
    // Also where L1 goes on: that is no help to a node that can build on nothing there.
    if (this.#reign?.commits === 0) this.#host.standsOnAnothers();
    const heldUp = this.#host.heldUpWith();
    if (heldUp === 'all') return this.#allAreUnfit(standing);
    const isCommon = this.#isCommon(status.value, l1Number, head);
    if (!isCommon && this.#mayStrikeAll(heldUp === 'some')) {
      this.#askAtMs = this.#host.nowMs() + someHeldUpLookMs;
      return;
    }
    if (isCommon && this.#mayMoveOn(l1Number)) return this.#host.stands(null);
    this.#host.stands({ kind: isCommon ? 'common' : 'own', ...standing });
  }

  /**
   * The node has stayed below the committed head, from one question to the next: on the block below the one that its own sequencer
   * committed, with which its client hangs, though it answers others, or which it is known not to execute; or anywhere where its
   * sequencer has built since before this server led, and op-node takes nothing. Only where a voter that could lead has the head.
   */
  #hangsBelow(unsafe: BlockRef | null, head: StandingHead): boolean {
    const reign = this.#reign;
    if (reign === null) return false;
    const isOwn = reign.commits > 0;
    const isBelow = unsafe !== null && (isOwn ? unsafe.number === head.number - 1n : unsafe.number < head.number);
    const at = isBelow ? this.#tipHash + unsafe.hash : '';
    const hasStayed = isBelow && (reign.belowTip === at || (isOwn && this.#host.needsSync()));
    reign.belowTip = at;
    return hasStayed && this.#host.isLeftToTry(head);
  }

  /** The node's head is above the committed one, and has risen since a question before. */
  #risesAbove({ number }: BlockRef, tip: StandingHead): boolean {
    const reign = this.#reign;
    if (reign === null) return false;
    const { aboveTip } = reign;
    const isAbove = number > tip.number;
    reign.aboveTip = isAbove ? (aboveTip ?? number) : null;
    return isAbove && aboveTip !== null && number > aboveTip;
  }

  /**
   * It stood under another leader for as long, nothing was committed since, and all had their turn; or the chain is as far ahead
   * of L1 as it may be. Not where a payload is overdue: its sequencer builds, and it is this server that others do not get it from.
   */
  #isCommon(status: unknown, l1Number: bigint | null, head: StandingHead): boolean {
    const reign = this.#reign;
    if (reign === null || this.#host.state().isOverdue) return false;
    const stoodMs = reign.sinceMs - this.#tipSinceMs;
    const stoodBefore = reign.commits === 0 && stoodMs >= stoodBlocks * this.#blockTimeMs;
    if (stoodBefore && !this.#host.isLeftToTry(head)) return true;
    const [l1Seconds, unsafeSeconds] = [timestampOf(status, 'head_l1'), timestampOf(status, 'unsafe_l2')];
    const isFarAhead =
      l1Seconds !== null && unsafeSeconds !== null && unsafeSeconds - l1Seconds >= sequencerDriftSeconds;
    // op-conductors do not say how far their L1 is: that others share it is not known then.
    const peersL1Number = this.#host.peersL1Number();
    return isFarAhead && peersL1Number !== null && !isBeyond(peersL1Number, l1Number);
  }

  /** Whatever L1 shows of itself: nobody could build. */
  #allAreUnfit(standing: Omit<Standing, 'kind'>): void {
    const nowMs = this.#host.nowMs();
    if (this.#reign !== null) this.#reign.allUnfitAtMs = nowMs;
    this.#askAtMs = nowMs + allHeldUpLookMs;
    this.#host.stands({ kind: 'common', waitsFor: 'another server', ...standing });
  }

  /** Whoever is fit now may be held up in a moment, as somebody is, or is the first to be let go: leadership would go round. */
  #mayStrikeAll(isSomebodyHeldUp: boolean): boolean {
    const foundAtMs = isSomebodyHeldUp ? this.#tipSinceMs + quietBlocks * this.#blockTimeMs + quietMarginMs : -Infinity;
    return this.#host.nowMs() - Math.max(foundAtMs, this.#reign?.allUnfitAtMs ?? -Infinity) < heldUpSpreadMs;
  }

  /** Here as under every voter that could lead the sequencer built one block when it was started, and no more. */
  #isWorthOneBlock(head: StandingHead): boolean {
    const isOne = this.#reign?.commits === 1 && this.#aloneSinceMs !== null;
    return isOne && this.#host.wasTried(head) && !this.#host.isLeftToTry(head);
  }

  /** The safe head has gone on since we were first asked, or for somebody else, or is not below, and there was time for a block since. */
  #hasSafeHeadGoneOn(safeNumber: bigint | null, headNumber: bigint): boolean {
    const reign = this.#reign;
    if (reign === null || safeNumber === null) return true;
    reign.safeNumber ??= safeNumber;
    const isFurther = safeNumber > reign.safeNumber || isBeyond(this.#host.peersSafeNumber(), safeNumber);
    const nowMs = this.#host.nowMs();
    if (isFurther || safeNumber >= headNumber) reign.safeGoneOnAtMs ??= nowMs;
    return reign.safeGoneOnAtMs !== null && nowMs - reign.safeGoneOnAtMs >= quietBlocks * this.#blockTimeMs;
  }

  /** L1 has gone on since we were first asked, or for somebody else: it is not what the chain waits for. */
  #mayMoveOn(l1Number: bigint | null): boolean {
    const reign = this.#reign;
    if (reign === null || l1Number === null) return true;
    reign.l1Number ??= l1Number;
    return l1Number > reign.l1Number || isBeyond(this.#host.peersL1Number(), l1Number);
  }

  /** Something happened that shows a sequencer at work, or ends its time. */
  #begunAnew(): void {
    this.#asked = null;
    if (this.#reign === null) return;
    this.#reign.aboveTip = null;
    this.#wait(this.#host.nowMs());
    this.#host.stands(null);
  }

  #wait(fromMs: number): void {
    this.#askAtMs = fromMs + quietBlocks * this.#blockTimeMs + quietMarginMs;
  }
}
