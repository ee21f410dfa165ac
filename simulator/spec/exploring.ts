/** `npm run sim -- models`: every model within its bounds, and every change that has to break one. */
import { explore, models, type Model } from './models.ts';

export interface ExploringOptions {
  readonly isLarge: boolean;
  /** Names of models; all of them when it is empty. */
  readonly only: readonly string[];
  nowMs(): number;
  print(line: string): void;
}

/** Whether all models hold what they should, and none of the broken ones does; null for a model that there is not. */
export function exploreModels({ isLarge, only, nowMs, print }: ExploringOptions): boolean | null {
  if (only.some((name) => !models.some((model) => model.name === name))) return null;
  let isWell = true;
  for (const model of models.filter(({ name }) => only.length === 0 || only.includes(name))) {
    const beganMs = nowMs();
    const { states, broken } = explore(model, isLarge ? model.large : model.small);
    const verdict = broken === null ? 'all hold' : `${broken.invariant} is broken after ${broken.steps} steps`;
    const seconds = ((nowMs() - beganMs) / 1000).toFixed(1);
    print(
      `${model.name}, ${model.rule}: ${model.invariants.join(', ')} in ${states} states: ${verdict} (${seconds} s)`,
    );
    isWell &&= broken === null;
    for (const line of changed(model)) {
      print(`  ${line.text}`);
      isWell &&= line.isRefused;
    }
  }
  return isWell;
}

function changed(model: Model) {
  return model.broken.map((change) => {
    const { broken, states } = explore(model, change.bounds, change);
    const what = broken === null ? `nothing in ${states} states` : `${broken.invariant} after ${broken.steps} steps`;
    return { text: `if ${change.why}: breaks ${what}`, isRefused: broken !== null };
  });
}
