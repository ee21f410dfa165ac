/** The model checker, npm tla-checker: WebAssembly that is given texts and gives back JSON. It touches nothing else. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { check_spec_with_cfg, initSync } from 'tla-checker';

export interface CheckOrder {
  /** One module with everything it needs. */
  readonly text: string;
  /** As TLC's configuration files. */
  readonly configuration: string;
  readonly statesMax: number;
  readonly depthMax: number;
}

export interface CheckResult {
  /** Every state within the bounds was looked at, and all is well. */
  readonly isDone: boolean;
  /** Different states that were reached. */
  readonly states: number;
  /** What was wrong, in the checker's words: the kind, and the sentence; null when nothing was. */
  readonly complaint: { readonly kind: string; readonly message: string } | null;
  /** States of a counterexample, each as `variable = value` lines; empty for none. */
  readonly trace: readonly (readonly string[])[];
}

interface Answer {
  readonly success: boolean;
  readonly error_type: string | null;
  readonly error_message: string | null;
  readonly states_explored: number;
  readonly trace: readonly string[] | null;
}

let isLoaded = false;

/** Looks at every state that can be reached within the bounds. A state without successors is no complaint. */
export function checkModel({ text, configuration, statesMax, depthMax }: CheckOrder): CheckResult {
  if (!isLoaded) {
    const module = readFileSync(fileURLToPath(import.meta.resolve('tla-checker/tla_checker_bg.wasm')));
    initSync({ module });
    isLoaded = true;
  }
  const answer = JSON.parse(check_spec_with_cfg(text, configuration, '{}', statesMax, depthMax, true, false)) as Answer;
  const { error_type: kind, error_message: message } = answer;
  return {
    isDone: answer.success,
    states: answer.states_explored,
    complaint: kind === null ? null : { kind, message: message ?? '' },
    trace: statesOf((answer.trace ?? []).join('\n')),
  };
}

function statesOf(text: string): string[][] {
  const states: string[][] = [];
  for (const line of text.split('\n')) {
    if (/^State \d+/.test(line)) states.push([]);
    // It prints truth in small letters, and reads it in capitals alone.
    else if (/^ +\w+ = /.test(line))
      states.at(-1)?.push(line.trim().replaceAll(/\b(true|false)\b/g, (word) => word.toUpperCase()));
  }
  return states;
}
