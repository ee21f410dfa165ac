/**
 * The order of test files: those that take longest first, or one of them would run alone at the end. Vitest knows
 * how long files took only where they have run before, and goes by their size on a fresh machine.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONG = /\/simulator\/(storms|singles)\.test\.ts$/;

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
