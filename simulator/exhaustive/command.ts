/** `npm run sim -- exhaustive`: searches scopes one after the other, says how far it got, and tells the path to a broken law. */
import { search, STATES_MAX, type Finding, type Progress } from './search.ts';
import { scopes, type ScopeName } from './scope.ts';

const names = Object.keys(scopes) as ScopeName[];

export const EXHAUSTIVE_USAGE = `       npm run sim -- exhaustive [--scope NAME,NAME] [--states N] [--recheck]
                                            every order of what can happen to three raft servers
                                            within a scope, or in all; exit 1 if a law is broken,
                                            3 if more than N states (${STATES_MAX}) would be needed;
                                            --recheck works everything out in two ways
${names.map((name) => `                                            ${name}: ${scopes[name].about}`).join('\n')}`;

export interface ExhaustiveHost {
  readonly print: (line: string) => void;
  /** Milliseconds since anything. */
  readonly nowMs: () => number;
}

/** Exit code; null when the arguments make no sense. */
export function exhaustive(args: readonly string[], { print, nowMs }: ExhaustiveHost): number | null {
  const options = readArguments(args);
  if (options === null) return null;
  let code = 0;
  for (const name of options.names) {
    const beganMs = nowMs();
    const after = (progress: Progress): string => lineOf(progress, (nowMs() - beganMs) / 1000);
    print(`${name}: ${scopes[name].about}`);
    const finding = search(scopes[name], {
      statesMax: options.statesMax,
      isRechecked: options.isRechecked,
      onProgress: (progress) => print(`  ${after(progress)}`),
    });
    print(`  ${after(finding)}\n${describe(finding)}`);
    if (finding.violation !== null || (finding.recheck?.differences.length ?? 0) > 0) return 1;
    if (!finding.isComplete) code = 3;
  }
  return code;
}

interface Arguments {
  readonly names: readonly ScopeName[];
  readonly statesMax: number;
  readonly isRechecked: boolean;
}

function readArguments(args: readonly string[]): Arguments | null {
  let chosen: readonly string[] = names;
  let statesMax = STATES_MAX;
  let isRechecked = false;
  for (let at = 0; at < args.length; at++) {
    if (args[at] === '--scope') chosen = (args[++at] ?? '').split(',');
    else if (args[at] === '--states') statesMax = Number(args[++at]);
    else if (args[at] === '--recheck') isRechecked = true;
    else return null;
  }
  const isKnown = (name: string): name is ScopeName => Object.hasOwn(scopes, name);
  if (!chosen.every(isKnown) || !Number.isSafeInteger(statesMax) || statesMax < 1) return null;
  return { names: chosen, statesMax, isRechecked };
}

function lineOf({ states, steps, depth }: Progress, seconds: number): string {
  return `${states} states, ${steps} steps, depth ${depth}, ${seconds.toFixed(1)} s`;
}

/** A finding in words, over several lines. */
export function describe(finding: Finding): string {
  const { violation, path, isComplete, localStates, handled, seen, recheck } = finding;
  if (violation !== null) {
    const told = path.map((label, at) => `  ${String(at + 1).padStart(3)}  ${label}`);
    return [...told, `${violation.law} is broken after ${path.length} steps: ${violation.message}`].join('\n');
  }
  const counts = `  of one server: ${localStates} states, found with ${handled} inputs to the core; in ${seen.leader} states somebody leads, in ${seen.twoLeaders} two do, in ${seen.committed} something is committed, in ${seen.contradictingLogs} logs contradict each other`;
  if (recheck !== null && recheck.differences.length > 0) return [...recheck.differences, counts].join('\n');
  const twice = recheck === null ? '' : `\n  ${recheck.lines} inputs were worked out in two ways: no difference`;
  return `${counts}${twice}\n  ${isComplete ? 'complete: every law holds in every state' : 'not complete: every law held as far as it went'}`;
}
