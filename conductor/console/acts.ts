/**
 * Changes of a cluster from the page: the commands of the operators' tool, run here with its own plans, guards and
 * locks. One at a time for each cluster; what it does is told step by step.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '#conductor/adapters/clock/clock';
import { messageOf } from '#conductor/core/errors';
import { whyAnyUnderWay } from '#conductor/operate/begun-deployment';
import type { ClusterConfig } from '#conductor/operate/cluster-config';
import { lockCluster } from '#conductor/operate/cluster-lock';
import type { ClusterAccess } from '#conductor/operate/observe';
import type { OperatorCommand } from '#conductor/operate/operator-command';
import { Output } from '#conductor/operate/output';
import { pauseCommand, resumeCommand } from '#conductor/operate/pause-command';
import { runProcedure, type ProcedureReporter } from '#conductor/operate/procedure';
import type { Procedure } from '#conductor/operate/step';
import { transferCommand } from '#conductor/operate/transfer-command';
import type { Act, ActStep, Plan } from './protocol.ts';

/** What the page may ask for. */
const commands: Readonly<Record<string, OperatorCommand>> = {
  transfer: transferCommand,
  pause: pauseCommand,
  resume: resumeCommand,
};

export interface ActTarget {
  readonly config: ClusterConfig;
  readonly access: ClusterAccess;
}

export interface ActRequest {
  readonly command: string;
  /** Ids of servers. */
  readonly words: readonly string[];
}

export interface ActsOptions {
  /** The act of a cluster is not as it was. */
  changed(cluster: string): void;
  /** Who did what, for the log. */
  audit(action: string, fields: Readonly<Record<string, unknown>>): void;
}

export class Acts {
  readonly #options: ActsOptions;
  /** The last act of each cluster, or the one under way. */
  readonly #acts = new Map<string, Act>();

  constructor(options: ActsOptions) {
    this.#options = options;
  }

  /** The act of a cluster that is under way, or the last one; null for none. */
  of(cluster: string): Act | null {
    return this.#acts.get(cluster) ?? null;
  }

  /** What the tool would do, and why it would refuse. */
  async plan(target: ActTarget, request: ActRequest): Promise<Plan> {
    let plan: Plan = { title: request.command, steps: [], refusal: null };
    const reporter: ProcedureReporter = {
      plan: ({ title }, planned) => {
        const steps = planned.map(({ step, state, refusal }) => ({
          title: step.title,
          state: state === 'open' ? ('open' as const) : ('done' as const),
          text: refusal ?? (state === 'open' ? (step.asks ?? '') : 'is so already'),
          stopsSequencing: step.stopsSequencing && state === 'open',
        }));
        plan = { title, steps, refusal: planned.find(({ refusal }) => refusal !== null)?.refusal ?? null };
      },
      step: () => undefined,
    };
    try {
      await this.#run(target, request, { reporter, isDryRun: true });
      return plan;
    } catch (error) {
      return { ...plan, refusal: messageOf(error) };
    }
  }

  /** Begins; why not, as a sentence, else null. What comes of it is in `of`. */
  begin(target: ActTarget, request: ActRequest, name: string): string | null {
    const { config } = target;
    const cluster = config.name;
    if (this.#acts.get(cluster)?.outcome === null) return 'another change of this cluster is under way here';
    const underWay = config.path === null ? null : whyAnyUnderWay(config.path, config.servers);
    if (underWay !== null) return underWay;
    let unlock: () => void;
    try {
      const conductors = config.servers.map(({ conductor }) => conductor);
      unlock = lockCluster({ path: config.path, conductors }, `${request.command} of the console`);
    } catch (error) {
      return messageOf(error);
    }
    this.#set(cluster, { title: request.command, name, atMs: Date.now(), steps: [], outcome: null, reason: '' });
    this.#options.audit('change begun', { cluster, ...request, as: name });
    void this.#carryOut(target, request).finally(unlock);
    return null;
  }

  async #carryOut(target: ActTarget, request: ActRequest): Promise<void> {
    const cluster = target.config.name;
    const reporter: ProcedureReporter = {
      plan: ({ title, steps }) =>
        this.#change(cluster, {
          title,
          steps: steps.map((step) => ({
            title: step.title,
            state: 'open',
            text: '',
            stopsSequencing: step.stopsSequencing,
          })),
        }),
      step: ({ title }, state, text) => this.#step(cluster, title, { state, text }),
    };
    try {
      const outcome = await this.#run(target, request, { reporter, isDryRun: false });
      this.#change(cluster, { outcome: outcome?.kind ?? 'refused', reason: outcome?.reason ?? '' });
    } catch (error) {
      this.#change(cluster, { outcome: 'refused', reason: messageOf(error) });
    }
    const act = this.#acts.get(cluster);
    this.#options.audit('change ended', {
      cluster,
      ...request,
      as: act?.name,
      outcome: act?.outcome,
      err: act?.reason,
    });
  }

  /** The command as the tool runs it, with somebody else to tell; throws with the sentence of a refusal. */
  async #run(
    { config, access }: ActTarget,
    { command, words }: ActRequest,
    { reporter, isDryRun }: { readonly reporter: ProcedureReporter; readonly isDryRun: boolean },
  ): Promise<Awaited<ReturnType<typeof runProcedure>> | null> {
    const definition = commands[command];
    if (definition === undefined) throw new RangeError(`the console has no command ${command}`);
    let outcome: Awaited<ReturnType<typeof runProcedure>> | null = null;
    const execute = async (procedure: Procedure): Promise<number> => {
      outcome = await runProcedure(procedure, {
        observe: () => access.observe(),
        reporter,
        // The page has shown the plan and asked.
        confirm: () => Promise.resolve(true),
        interrupts: { count: 0 },
        isDryRun,
        timeoutMs: null,
        ignoresQuorum: false,
        nowMs: monotonicMs,
        sleep: (ms) => sleep(ms),
      });
      return 0;
    };
    await definition.run({ words, flags: {}, output: new Output(true), config, access, execute });
    return outcome;
  }

  #step(cluster: string, title: string, change: Pick<ActStep, 'text'> & { readonly state: string }): void {
    const act = this.#acts.get(cluster);
    if (act === undefined) return;
    const steps = act.steps.map((step) => (step.title === title ? { ...step, ...change } : step));
    this.#change(cluster, { steps });
  }

  #change(cluster: string, change: Partial<Act>): void {
    const act = this.#acts.get(cluster);
    if (act !== undefined) this.#set(cluster, { ...act, ...change });
  }

  #set(cluster: string, act: Act): void {
    this.#acts.set(cluster, act);
    this.#options.changed(cluster);
  }
}

/** The request in a body; null for anything else. */
export function readActRequest(body: Readonly<Record<string, unknown>>): ActRequest | null {
  const { command, words } = body;
  const isWhole = typeof command === 'string' && Object.hasOwn(commands, command) && Array.isArray(words);
  if (!isWhole || words.length > 64 || !words.every((word) => typeof word === 'string' && !word.startsWith('-')))
    return null;
  return { command, words: words as string[] };
}
