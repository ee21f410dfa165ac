/**
 * What a run costs those who use and run the cluster, as numbers with names: how long the chain stood, how often it was
 * told to do something, what was asked, sent, written and complained of. An oracle that judges nothing.
 */
import type { Block } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import type { Oracle } from '../oracles/oracle.ts';
import type { World } from '../world.ts';

/** By name; a name that is not there is 0. Names that end in ' ms' are times, all others count. */
export type Costs = ReadonlyMap<string, number>;

/** A gap between blocks counts from so much above the block time on, milliseconds. */
const LATE_MS = 100;
/** Between two scrapes. */
const SCRAPE_MS = 1000;
/** The messages of lines are told apart by so much of them, and not by numbers. */
const LINE_MAX = 60;
const ofSeconds = /_seconds$/;
/** Blocks by which a node may be behind: some are always on their way. */
const BEHIND_MAX = 2;

export class CostMeter {
  readonly oracle: Oracle;
  readonly #costs = new Map<string, number>();
  #world: World | null = null;
  #lastBlockMs: number | null = null;
  #scrapeAtMs = 0;
  readonly #roles = new Map<Machine, string>();

  constructor() {
    const count = (name: string, by = 1): void => this.#add(name, by);
    this.oracle = {
      watch: (world) => void (this.#world = world),
      exited: () => count('conductors that ended by themselves'),
      answered: ({ worldMs }, { method, sinceMs }, outcome) => {
        count(outcome.kind === 'result' ? `result of ${method}` : `error ${outcome.code} of ${method}`);
        count(`${method} ms`, worldMs - sinceMs);
      },
      asked: (_, { target, method }) => count(`asked ${target} ${method}`),
      sent: (_, { request }) => count(`sent ${request.kind}`),
      written: () => count('transactions'),
      handsOver: () => count('hand-overs'),
      leftInDoubt: () => count('commits left in doubt'),
      committed: () => count('commits'),
      ordered: (_, method) => count(method),
      judged: (_machine, _block, status) => count(`judged ${status}`),
      said: (_, level, message) => {
        if (level !== 'debug') count(`line ${lineName(message)}`);
        if (level === 'warn' || level === 'error') count(`lines at level ${level}`);
      },
      counted: (_, name, by) => count(`counter ${name}`, by),
      measured: (_, name, value) => {
        count(`histogram ${name}`);
        if (ofSeconds.test(name)) count(`histogram ${name} ms`, value * 1000);
      },
      goesByPosition: true,
      observed: (machine, { role, term }) => {
        this.#raise('terms', term);
        if (role === 'leader' && this.#roles.get(machine) !== 'leader') count('leaderships');
        this.#roles.set(machine, role);
        if (machine.worldMs >= this.#scrapeAtMs) this.#scrape(machine.worldMs);
      },
      ended: (machine) => void this.#roles.delete(machine),
      published: (machine, block) => this.#published(machine, block),
    };
  }

  get costs(): Costs {
    return new Map(
      [...this.#costs].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => [name, Math.round(value)]),
    );
  }

  /** What a gauge is off by counts for as long as it is. */
  #scrape(worldMs: number): void {
    this.#scrapeAtMs = worldMs + SCRAPE_MS;
    for (const machine of this.#world?.machines ?? []) {
      for (const [name, value] of machine.shows()?.gauges ?? []) {
        if (Number.isNaN(value)) this.#add(`gauge ${name} not known`, 1);
        else this.#add(`gauge ${name}`, value);
      }
    }
  }

  #published({ worldMs }: Machine, block: Block): void {
    const world = this.#world;
    if (world === null) return;
    this.#add('blocks', 1);
    for (const { node } of world.machines)
      if (node.head.number + BEHIND_MAX < block.number) this.#add('blocks that a node is behind by', 1);
    const gapMs = worldMs - (this.#lastBlockMs ?? worldMs);
    this.#lastBlockMs = worldMs;
    const lateMs = gapMs - world.configuration.blockSeconds * 1000;
    if (lateMs > LATE_MS) this.#add('late ms', lateMs);
    this.#raise('longest gap ms', gapMs);
  }

  #raise(name: string, to: number): void {
    this.#costs.set(name, Math.max(this.#costs.get(name) ?? 0, to));
  }

  #add(name: string, by: number): void {
    this.#costs.set(name, (this.#costs.get(name) ?? 0) + by);
  }
}

/** No number and nothing that stands between two costs in the file is part of a name. */
function lineName(message: string): string {
  return message.replaceAll(/\d+/g, '#').replaceAll(',', ';').slice(0, LINE_MAX).trim();
}
