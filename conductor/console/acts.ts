/**
 * Changes of a cluster from the page: the commands of the operators' tool, run here with its own plans, guards and
 * locks. One at a time for each cluster, by the plan that was shown; what it does is told step by step.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '#conductor/adapters/clock/clock';
import { messageOf } from '#conductor/core/errors';
import { whyAnyUnderWay } from '#conductor/operate/begun-deployment';
import type { ClusterConfig } from '#conductor/operate/cluster-config';
import { readClusterFile } from '#conductor/operate/cluster-file';
import { lockCluster } from '#conductor/operate/cluster-lock';
import { namesIn, withKnownIdle } from '#conductor/operate/known-idle';
import type { ClusterAccess } from '#conductor/operate/observe';
import { textOf, type OperatorCommand } from '#conductor/operate/operator-command';
import { RefusedError } from '#conductor/operate/operator-errors';
import { runProcedure, type Outcome, type Planned, type ProcedureReporter } from '#conductor/operate/procedure';
import type { Procedure, Step } from '#conductor/operate/step';
import { actCommands, type ActRequest } from './act-commands.ts';
import type { Act, ActStep, Plan } from './protocol.ts';
import { TellingOutput } from './telling-output.ts';

/** Interrupts that mean something: finish the step in progress, take it back. */
const interruptsMax = 2;

export interface ActTarget {
  readonly config: ClusterConfig;
  readonly access: ClusterAccess;
}

export interface ActsOptions {
  /** The act of a cluster is not as it was. */
  changed(cluster: string): void;
  /** Somebody has begun, interrupted or ended something; for what happened in the cluster. */
  happened(cluster: string, text: string): void;
  /** Who did what, for the log. */
  audit(action: string, fields: Readonly<Record<string, unknown>>): void;
}

interface Running {
  readonly interrupts: { count: number };
  readonly ended: Promise<void>;
}

export class Acts {
  readonly #options: ActsOptions;
  /** The last act of each cluster, or the one under way. */
  readonly #acts = new Map<string, Act>();
  readonly #running = new Map<string, Running>();

  constructor(options: ActsOptions) {
    this.#options = options;
  }

  /** The act of a cluster that is under way, or the last one; null for none. */
  of(cluster: string): Act | null {
    return this.#acts.get(cluster) ?? null;
  }

  /** What the tool would do, and why it would refuse. */
  async plan(target: ActTarget, request: ActRequest): Promise<Plan> {
    let plan: Plan = { id: '', title: request.command, steps: [], notes: [], afterwards: [], refusal: null };
    const output = new TellingOutput((notes) => void (plan = { ...plan, notes }));
    const reporter: ProcedureReporter = {
      plan: (procedure, planned) => {
        plan = {
          id: planId(procedure),
          title: procedure.title,
          steps: planned.map(plannedStep),
          notes: plan.notes,
          afterwards: procedure.afterwards ?? [],
          refusal: planned.find(({ refusal }) => refusal !== null)?.refusal ?? null,
        };
      },
      step: () => undefined,
    };
    try {
      await this.#run(target, request, { reporter, output, interrupts: { count: 0 }, isDryRun: true });
      return plan;
    } catch (error) {
      return { ...plan, refusal: messageOf(error) };
    }
  }

  /** Begins what was planned; why not, as a sentence, else null. What comes of it is in `of`. */
  begin(target: ActTarget, request: ActRequest, name: string): string | null {
    const { config } = target;
    const cluster = config.name;
    const command = actCommands.get(request.command);
    if (this.#acts.get(cluster)?.outcome === null) return 'another change of this cluster is under way here';
    const isChecked = config.path !== null && command?.isForEmergencies !== true;
    const underWay = isChecked ? whyAnyUnderWay(config.path, config.servers) : null;
    if (underWay !== null) return underWay;
    let unlock: () => void;
    try {
      const conductors = config.servers.map(({ conductor }) => conductor);
      unlock = lockCluster({ path: config.path, conductors }, `${request.command} of the console`);
    } catch (error) {
      return messageOf(error);
    }
    const begun = { title: request.command, name, atMs: Date.now(), steps: [], notes: [], interrupts: 0 };
    this.#set(cluster, { ...begun, outcome: null, reason: '', afterwards: [] });
    const { words, flags } = request;
    this.#options.audit('change begun', { cluster, command: request.command, words, flags, as: name });
    const interrupts = { count: 0 };
    const ended = this.#carryOut(target, request, interrupts).finally(() => {
      unlock();
      this.#running.delete(cluster);
    });
    this.#running.set(cluster, { interrupts, ended });
    return null;
  }

  /** Once: the step in progress is finished, and no more; twice: it is taken back. False where nothing is under way. */
  interrupt(cluster: string, name: string): boolean {
    const running = this.#running.get(cluster);
    if (running === undefined || running.interrupts.count >= interruptsMax) return false;
    running.interrupts.count += 1;
    this.#options.audit('change interrupted', { cluster, interrupts: running.interrupts.count, as: name });
    this.#change(cluster, { interrupts: running.interrupts.count });
    return true;
  }

  /** Interrupts all that is under way; resolves when it has ended. */
  async close(): Promise<void> {
    for (const cluster of this.#running.keys()) this.interrupt(cluster, 'the end of the console');
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  async #carryOut(target: ActTarget, request: ActRequest, interrupts: { count: number }): Promise<void> {
    const cluster = target.config.name;
    const output = new TellingOutput((notes) => this.#change(cluster, { notes }));
    let own: readonly Step[] = [];
    const reporter: ProcedureReporter = {
      plan: (procedure, planned) => {
        own = procedure.steps;
        if (planId(procedure) !== request.plan)
          throw new RefusedError('what would be done is not what was shown any more: look at the plan again');
        const { title, afterwards = [] } = procedure;
        this.#change(cluster, { title, steps: planned.map(plannedStep), afterwards });
        this.#options.happened(cluster, `${this.#acts.get(cluster)?.name} begins: ${title}`);
      },
      step: (step, state, text) => this.#step(cluster, own.indexOf(step), { state, text }),
    };
    try {
      const outcome = await this.#run(target, request, { reporter, output, interrupts, isDryRun: false });
      // Without steps the tool has said why there is nothing to do.
      this.#change(cluster, { outcome: outcome?.kind ?? 'done', reason: outcome?.reason ?? '' });
    } catch (error) {
      this.#change(cluster, { outcome: 'refused', reason: messageOf(error) });
    }
    this.#tellEnd(cluster, request);
  }

  #tellEnd(cluster: string, { command, words, flags }: ActRequest): void {
    const act = this.#acts.get(cluster);
    if (act === undefined) return;
    const { name, outcome, reason, title } = act;
    this.#options.audit('change ended', { cluster, command, words, flags, as: name, outcome, err: reason });
    this.#options.happened(cluster, `${title}, by ${name}: ${outcome}${reason === '' ? '' : `, ${reason}`}`);
  }

  /** The command as the tool runs it, with somebody else to tell; throws with the sentence of a refusal. */
  async #run({ config, access }: ActTarget, { command, words, flags }: ActRequest, run: Run): Promise<Outcome | null> {
    const definition = actCommands.get(command);
    if (definition === undefined) throw new RangeError(`the console has no command ${command}`);
    seeFileUnchanged(config, definition);
    const known = withKnownIdle(access, namesIn(textOf(flags, 'idle')));
    let outcome: Outcome | null = null;
    const execute = async (procedure: Procedure): Promise<number> => {
      outcome = await runProcedure(procedure, {
        observe: () => known.observe(),
        reporter: run.reporter,
        // The page has shown the plan and asked.
        confirm: () => Promise.resolve(true),
        interrupts: run.interrupts,
        isDryRun: run.isDryRun,
        timeoutMs: null,
        ignoresQuorum: flags['withoutQuorum'] === true,
        nowMs: monotonicMs,
        sleep: (ms) => sleep(ms),
      });
      return 0;
    };
    const given = run.isDryRun ? { ...flags, dryRun: true } : flags;
    await definition.run({ words, flags: given, output: run.output, config, access: known, execute });
    return outcome;
  }

  #step(cluster: string, place: number, change: Pick<ActStep, 'text'> & { readonly state: string }): void {
    const act = this.#acts.get(cluster);
    if (act === undefined) return;
    const steps = act.steps.map((step, at) => (at === place ? { ...step, ...change } : step));
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

interface Run {
  readonly reporter: ProcedureReporter;
  readonly output: TellingOutput;
  readonly interrupts: { readonly count: number };
  readonly isDryRun: boolean;
}

function plannedStep({ step, state, refusal }: Planned): ActStep {
  return {
    title: step.title,
    state: state === 'open' ? 'open' : state === 'performed' ? 'performed' : 'done',
    text: refusal ?? (state === 'open' ? (step.asks ?? '') : ''),
    isRefused: refusal !== null,
    stopsSequencing: step.stopsSequencing && state === 'open',
  };
}

/** The same for plans that do the same. */
function planId({ title, steps }: Procedure): string {
  const shown = steps.map((step: Step) => [step.title, step.stopsSequencing]);
  return createHash('sha256')
    .update(JSON.stringify([title, shown]))
    .digest('base64url')
    .slice(0, 22);
}

/** A file that says something else now, for instance how to deploy, is not what the console works with. */
function seeFileUnchanged({ path, servers }: ClusterConfig, { isForEmergencies }: OperatorCommand): void {
  if (path === null || isForEmergencies === true) return;
  const bare = (config: Pick<ClusterConfig, 'servers'>): string =>
    JSON.stringify(config.servers.map((server) => ({ ...server, credentials: null })));
  if (bare(readClusterFile(path)) !== bare({ servers }))
    throw new RefusedError(`${path} has changed since the console read it: start the console again`);
}
