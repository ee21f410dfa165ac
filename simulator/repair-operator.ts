/**
 * An operator on call: when a conductor's log names a block in an error, and the chain still stands a little later, runs
 * `conductor repair` again and again until it goes on. Sees what a real one sees: that log, and what the tool reads through
 * RPC; plan and guards are the tool's. Restarts the clients that the plan names, brings back what is silent by waiting for
 * it, and never vouches for a server (--idle).
 */
import type { LogLevel } from '#conductor/core/ports';
import type { ClusterView } from '#conductor/operate/cluster-view';
import { leaderOf, memberOf } from '#conductor/operate/cluster-view';
import { leaderNodes } from '#conductor/operate/disputes';
import { quorumRefusal } from '#conductor/operate/quorum';
import { planRepair, whyNotGivingUp, type RepairPlan } from '#conductor/operate/repair-plan';
import { putInAnew } from './client-faults.ts';
import { observeCluster } from './cluster-observation.ts';
import { CLIENT_RESTART_MS, LOOKS_EVERY_MS, REACTS_MS } from './oracles/disagreement-bounds.ts';
import type { OnCall } from './on-call.ts';
import type { RollupNode } from './rollup-node.ts';
import type { World } from './world.ts';

/** Looks at most for one alarm. */
const LOOKS_MAX = 60;
/** From a restart that was in vain to the alarm that says so, at most. */
const SAID_AGAIN_MS = 25_000;

const HASH = /0x[0-9a-f]{64}/g;

export class RepairOperator implements OnCall {
  readonly #world: World;
  /** When each block was first named in an alarm, by its hash. */
  readonly #toldAtMs = new Map<string, number>();
  /** Servers whose conductors say that their clients have to be restarted, and from which height those are to forget first. */
  readonly #toRestart = new Map<string, number | null>();
  #looksLeft = 0;
  /** Height that was committed at the last look; null before the first. */
  #committed: number | null = null;
  #actedAtMs = -Infinity;
  /** What was done so far, in order, for tests and stories. */
  readonly done: string[] = [];
  readonly restarts: { readonly id: string; readonly atMs: number }[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  get isAtWork(): boolean {
    return this.#looksLeft > 0;
  }

  get hasActed(): boolean {
    return this.done.length > 0;
  }

  /** An alarm is being looked into, or it is not known yet what was done about the last one. */
  get isBusy(): boolean {
    return this.isAtWork || this.#world.nowMs - this.#actedAtMs < SAID_AGAIN_MS;
  }

  toldAtMs(hash: string): number | null {
    return this.#toldAtMs.get(hash) ?? null;
  }

  read(id: string, level: LogLevel, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    if (level !== 'error') return;
    const { nowMs, queue } = this.#world;
    const named = Object.values(fields).flatMap((value) =>
      typeof value === 'string' ? (value.match(HASH) ?? []) : [],
    );
    // That the log may not follow the rollup is for an operator, whatever block that is about.
    if (named.length === 0 && !message.endsWith('the log cannot follow it')) return;
    for (const hash of named) if (!this.#toldAtMs.has(hash)) this.#toldAtMs.set(hash, nowMs);
    if (message.endsWith('restart it')) this.#toRestart.set(id, firstHeightOf(fields['first']));
    if (message.endsWith('give it a new data folder')) this.#replaceClient(id);
    if (this.isAtWork) return;
    this.#looksLeft = LOOKS_MAX;
    this.#committed = null;
    queue.after(REACTS_MS, () => this.#look());
  }

  #look(): void {
    observeCluster(this.#world, (view) => {
      const committed = leaderNodes(view)?.committed?.number ?? null;
      const goesOn = committed !== null && this.#committed !== null && committed > this.#committed;
      const stands = committed !== null && committed === this.#committed;
      this.#committed = committed ?? this.#committed;
      this.#looksLeft = goesOn ? 0 : this.#looksLeft - 1;
      if (stands) this.#act(view, planRepair(view));
      // Whose client is sick beside a chain that goes on is restarted as well, but for the one that builds.
      const leader = leaderOf(view)?.id;
      if (goesOn) this.#restartClients([...this.#toRestart.keys()].filter((id) => id !== leader));
      if (this.isAtWork) this.#world.queue.after(LOOKS_EVERY_MS, () => this.#look());
    });
  }

  #act(view: ClusterView, plan: RepairPlan): void {
    if (plan.kind === 'restart') return this.#restartClients(plan.servers);
    if (plan.kind !== 'giveUp' && plan.kind !== 'transfer') return this.#restartClients([...this.#toRestart.keys()]);
    // What the runner of a procedure asks before each step.
    if (quorumRefusal(view) !== null) return;
    const leader = this.#world.machines.find(({ id }) => id === leaderOf(view)?.id);
    if (leader === undefined) return;
    if (plan.kind === 'transfer') {
      const member = memberOf(view, plan.to);
      if (member === null) return;
      this.#did(`transfer ${plan.to}`);
      return this.#world.operate(leader, 'conductor_transferLeaderToServer', [member.id, member.address, 0n]);
    }
    const { block, silent } = plan;
    if (silent.length > 0 || whyNotGivingUp(view, block) !== null) return;
    this.#did(`give up ${block.number}`);
    // In every second run the hash is copied from where it stands in capitals.
    const hash = this.#world.configuration.seed % 2 === 1 ? `0x${block.hash.slice(2).toUpperCase()}` : block.hash;
    this.#world.operate(leader, 'conductor_giveUpBlock', [BigInt(block.number), hash]);
  }

  #did(what: string): void {
    this.done.push(what);
    this.#actedAtMs = this.#world.nowMs;
  }

  /** Copies the database of another client. */
  #replaceClient(server: string): void {
    const { node } = this.#world.machines.find(({ id }) => id === server)!;
    this.#did(`replace client ${server}`);
    this.#toRestart.delete(server);
    this.#takeDown(node, () => putInAnew(this.#world, node.client));
  }

  /** A client is down for as long as a restart takes; `beforeItIsBack` is called when that is over. */
  #takeDown(node: RollupNode, beforeItIsBack?: () => void): void {
    node.faults.executionDown++;
    this.#world.queue.after(CLIENT_RESTART_MS, () => {
      beforeItIsBack?.();
      node.faults.executionDown--;
      node.wake();
    });
  }

  #restartClients(servers: readonly string[]): void {
    for (const { id, node } of this.#world.machines) {
      if (!servers.includes(id) || node.faults.executionDown > 0) continue;
      this.#did(`restart client ${id}`);
      this.restarts.push({ id, atMs: this.#world.nowMs });
      const height = this.#toRestart.get(id) ?? null;
      if (height !== null) node.client.setHead(height);
      this.#toRestart.delete(id);
      node.client.restart();
      this.#takeDown(node);
    }
  }
}

/** The height in "debug_setHead 0x11", a call that an alarm asks for; null for none. */
function firstHeightOf(text: unknown): number | null {
  const [, height] = typeof text === 'string' ? (/^debug_setHead (0x[0-9a-f]+)$/.exec(text) ?? []) : [];
  return height === undefined ? null : Number(height);
}
