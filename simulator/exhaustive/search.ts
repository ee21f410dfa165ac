/**
 * Breadth first through all states of a scope: the first broken law is one that takes the fewest steps. States are
 * kept by their whole keys, not by hashes of them, so that none is taken for another.
 */
import { Cluster, SERVERS, type ClusterState } from './cluster.ts';
import type { Violation } from './laws.ts';
import type { LocalState } from './local-states.ts';
import type { Scope } from './scope.ts';
import { Steps } from './steps.ts';

/** States that are searched at most, unless told otherwise; half a kilobyte of memory each. */
export const STATES_MAX = 6_000_000;
/** States between two reports of progress. */
const PROGRESS_STATES = 50_000;

export interface Progress {
  /** Different states of the cluster, up to the names of its servers. */
  readonly states: number;
  /** Steps tried, those to known states included. */
  readonly steps: number;
  /** Steps from the start to the latest state. */
  readonly depth: number;
}

/** How many states had something in them, to know that a search was about something. */
export interface Seen {
  leader: number;
  twoLeaders: number;
  committed: number;
  contradictingLogs: number;
}

export interface Finding extends Progress {
  /** Every state within the scope was seen. */
  readonly isComplete: boolean;
  /** The first broken law, and the steps to it in words. */
  readonly violation: Violation | null;
  readonly path: readonly string[];
  /** Different states of a single server, up to its name. */
  readonly localStates: number;
  /** Inputs that real RaftNodes handled to find what follows from each of those, replays included. */
  readonly handled: number;
  readonly seen: Readonly<Seen>;
  /** null unless asked for. */
  readonly recheck: ReturnType<Cluster['locals']['recheck']> | null;
}

export interface SearchOptions {
  /** ≥ 1, default STATES_MAX. */
  readonly statesMax?: number;
  /** Works out again, by another way to the same state of a server, what comes of each input there. */
  readonly isRechecked?: boolean;
  /** Called with the three servers of every state. */
  readonly onState?: (servers: readonly LocalState[]) => void;
  readonly onProgress?: (progress: Progress) => void;
}

interface Numbered {
  readonly number: number;
  readonly state: ClusterState;
}

/** Searches a scope until all is seen, a law is broken, or there are too many states. */
export function search(scope: Scope, options: SearchOptions = {}): Finding {
  return new Search(new Cluster(scope), options).run();
}

class Search {
  readonly #cluster: Cluster;
  readonly #options: SearchOptions;
  readonly #statesMax: number;
  /** Keys of all states, in the order found. */
  readonly #known = new Set<string>();
  /** For each state, the number of the one it was found from; −1 for the first. */
  readonly #parents: number[] = [];
  readonly #seen: Seen = { leader: 0, twoLeaders: 0, committed: 0, contradictingLogs: 0 };
  #next: Numbered[] = [];
  #steps = 0;
  #depth = 0;
  #broken: { readonly parent: number; readonly violation: Violation } | null = null;

  constructor(cluster: Cluster, options: SearchOptions) {
    this.#cluster = cluster;
    this.#options = options;
    this.#statesMax = options.statesMax ?? STATES_MAX;
  }

  run(): Finding {
    let parent = -1;
    this.#found(this.#cluster.start(), parent);
    const steps = new Steps(this.#cluster, ({ next, violation }) => {
      if (this.#isOver) return;
      this.#steps++;
      if (violation === null) this.#found(next, parent);
      else this.#broken = { parent, violation };
    });
    while (this.#next.length > 0 && !this.#isOver) {
      const generation = this.#next;
      this.#next = [];
      for (const { number, state } of generation) {
        parent = number;
        steps.from(state);
        if (this.#isOver) break;
      }
    }
    return this.#finding();
  }

  get #isOver(): boolean {
    return this.#broken !== null || this.#known.size >= this.#statesMax;
  }

  #progress(): Progress {
    return { states: this.#known.size, steps: this.#steps, depth: this.#depth };
  }

  #finding(): Finding {
    const violation = this.#broken?.violation ?? null;
    return {
      ...this.#progress(),
      isComplete: this.#next.length === 0 && !this.#isOver,
      violation,
      path: this.#broken === null ? [] : this.#path(this.#broken.parent),
      localStates: this.#cluster.locals.size,
      handled: this.#cluster.locals.handled,
      seen: this.#seen,
      recheck: this.#options.isRechecked === true ? this.#cluster.locals.recheck() : null,
    };
  }

  #found(state: ClusterState, parent: number): void {
    const key = this.#cluster.key(state);
    const before = this.#known.size;
    this.#known.add(key);
    if (this.#known.size === before) return;
    this.#parents.push(parent);
    if (before > 0 && this.#next.length === 0) this.#depth++;
    this.#next.push({ number: before, state });
    this.#look(state);
    if (this.#known.size % PROGRESS_STATES === 0) this.#options.onProgress?.(this.#progress());
  }

  #look(state: ClusterState): void {
    const { locals, committed } = this.#cluster;
    const servers = state.slice(0, SERVERS).map((number) => locals.get(number));
    this.#options.onState?.(servers);
    const leaders = servers.filter(({ role }) => role === 'leader').length;
    if (leaders > 0) this.#seen.leader++;
    if (leaders > 1) this.#seen.twoLeaders++;
    if (committed.get(this.#cluster.committedOf(state)).length > 0) this.#seen.committed++;
    const [first, second, third] = servers.map(({ log }) => log) as [string[], string[], string[]];
    if (contradict(first, second) || contradict(second, third) || contradict(first, third))
      this.#seen.contradictingLogs++;
  }

  /** Finds the way again from the start, under the names that servers have there. */
  #path(last: number): string[] {
    const numbers: number[] = [];
    for (let number = last; number > 0; number = this.#parents[number]!) numbers.unshift(number);
    const wanted = new Set(numbers);
    const keys = new Map<number, string>();
    let number = 0;
    for (const key of this.#known) {
      if (wanted.has(number)) keys.set(number, key);
      number++;
    }
    const labels: string[] = [];
    let state = this.#cluster.start();
    for (const each of numbers) {
      const step = this.#step(state, (next) => this.#cluster.key(next) === keys.get(each), false);
      labels.push(step.label);
      state = step.next;
    }
    return [...labels, this.#step(state, () => true, true).label];
  }

  #step(from: ClusterState, isWanted: (next: ClusterState) => boolean, isBroken: boolean) {
    let found: { readonly label: string; readonly next: ClusterState } | null = null;
    const steps = new Steps(this.#cluster, ({ label, next, violation }) => {
      if (found === null && (violation !== null) === isBroken && isWanted(next)) found = { label: label(), next };
    });
    steps.from(from);
    return found!;
  }
}

function contradict(one: readonly string[], other: readonly string[]): boolean {
  const common = Math.min(one.length, other.length);
  for (let at = 0; at < common; at++) if (one[at] !== other[at]) return true;
  return false;
}
