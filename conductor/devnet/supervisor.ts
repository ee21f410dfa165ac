/**
 * The six processes of a devnet: the order in which they start and stop, and what restarting one means.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DataDir } from './data-dir.ts';
import { ManagedProcess } from './managed-process.ts';
import type { DevnetOptions } from './options.ts';
import { conductorCommand, sequencerCommand, type FirstStart } from './child-commands.ts';
import type { NodePlan } from './plan.ts';
import type { Reaper } from './reaper.ts';

/** Milliseconds a conductor and a sequencer may take to end before they are killed. */
const CONDUCTOR_GRACE_MS = 10_000;
const SEQUENCER_GRACE_MS = 3_000;

/** One node's two processes. */
export interface NodeProcesses {
  readonly plan: NodePlan;
  readonly conductor: ManagedProcess;
  readonly sequencer: ManagedProcess;
}

/** What the supervisor needs. */
export interface SupervisorOptions {
  readonly devnet: DevnetOptions;
  readonly nodes: readonly NodePlan[];
  readonly dataDir: DataDir;
  readonly reaper: Reaper;
  readonly onExit: (name: string, reason: string, wasExpected: boolean) => void;
}

/** Owns every child. */
export class Supervisor {
  readonly nodes: readonly NodeProcesses[];
  readonly #options: SupervisorOptions;
  #isStopping = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.nodes = options.nodes.map((plan) => ({
      plan,
      conductor: this.#process('conductor', plan.index),
      sequencer: this.#process('sequencer', plan.index),
    }));
  }

  startSequencer(node: NodeProcesses): void {
    if (!this.#isStopping && !node.sequencer.isAlive) node.sequencer.start(sequencerCommand(this.#options, node.plan));
  }

  startConductor(node: NodeProcesses, first: FirstStart = { isBootstrap: false, isPaused: false }): void {
    if (!this.#isStopping && !node.conductor.isAlive) {
      mkdirSync(this.#options.dataDir.folder('conductor', node.plan.index), { recursive: true });
      node.conductor.start(conductorCommand(this.#options, node.plan, first));
    }
  }

  /** Starts what is down. When both processes are up, the conductor is ended in order and started again. */
  async restart(node: NodeProcesses): Promise<string> {
    const down = [node.sequencer, node.conductor].filter((child) => !child.isAlive);
    if (down.length === 0) {
      await node.conductor.stop(CONDUCTOR_GRACE_MS);
      this.startConductor(node);
      return `${node.conductor.name} restarted`;
    }
    this.startSequencer(node);
    this.startConductor(node);
    return `${down.map((child) => child.name).join(' and ')} started again`;
  }

  /** Ends the conductors, then the sequencers; kills what does not end in time. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.nodes.map((node) => node.conductor.stop(CONDUCTOR_GRACE_MS)));
    await Promise.all(this.nodes.map((node) => node.sequencer.stop(SEQUENCER_GRACE_MS)));
  }

  /** Kills everything at once. */
  async killAll(): Promise<void> {
    this.#isStopping = true;
    const children = this.nodes.flatMap((node) => [node.conductor, node.sequencer]);
    for (const child of children) child.kill(true);
    await Promise.all(children.map((child) => child.ended()));
  }

  #process(kind: 'conductor' | 'sequencer', index: number): ManagedProcess {
    return new ManagedProcess({
      name: `node-${index + 1} ${kind}`,
      logPath: join(this.#options.dataDir.logs, `${kind}-${index + 1}.log`),
      onLife: (pid, isAlive) => this.#options.reaper.note(pid, isAlive),
      onExit: this.#options.onExit,
    });
  }
}
