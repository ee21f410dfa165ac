/**
 * The order of test files: those that take longest first, or one of them would run alone at the end. Vitest knows
 * how long files took only where they have run before, and goes by their size on a fresh machine.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest of all before the others: they share the machine between them from the first second on. */
const LONG: readonly RegExp[] = [
  /\/simulator\/(storms|singles)\.test\.ts$/,
  /\/simulator\/(faults|table|disagreement)\.test\.ts$/,
  /\/simulator\/(exhaustive\/search|regressions\/regressions)\.test\.ts$/,
  /\/conductor\/(core\/raft\/cluster\.property|adapters\/sqlite\/corruption)\.test\.ts$/,
  /\/tests\/browser\/(engines|(templates|tables|own-files|live-cluster|reading|search)\.browser)\.test\.ts$/,
  /\/site\/(search\/relevance|engine\/build|engine\/authoring\/(authoring|kept-state))\.process\.test\.ts$/,
  /\/tests\/process\/beside\/(service|devnet|kill9|tls-rollout|startup\.vectors)\.test\.ts$/,
  /\/tests\/pages\/op-conductor-(deployments|reference|setup)\.process\.test\.ts$/,
  /\/(scripts\/preview-site|simulator\/main)\.process\.test\.ts$/,
];

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONG.findIndex((pattern) => pattern.test(moduleId));
      return at === -1 ? LONG.length : at;
    };
    return sorted.toSorted((left, right) => rank(left) - rank(right));
  }
}
