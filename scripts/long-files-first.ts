/**
 * The order of test files: those that take longest first, or one of them would run alone at the end. Vitest knows
 * how long files took only where they have run before, and goes by their size on a fresh machine.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONG = new RegExp(
  [
    String.raw`/simulator/(storms|singles)\.test\.ts$`,
    String.raw`/tests/browser/(templates|tables|own-files|live-cluster)\.browser\.test\.ts$`,
    String.raw`/tests/process/(pairs/)?(service|devnet|kill9|tls-rollout)\.test\.ts$`,
    String.raw`/tests/pages/op-conductor-(deployments|reference|setup)\.process\.test\.ts$`,
    String.raw`/scripts/preview-site\.process\.test\.ts$`,
  ].join('|'),
);

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
