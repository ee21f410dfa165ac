/**
 * Vitest reporter that writes a Tally as JSON to the file named by CONDUCTOR_TALLY_FILE.
 * Vitest's own JSON report leaves out the reason of a skipped test (`ctx.skip(reason)`) and does not
 * count files that failed to load; both matter to the last line of `npm test`.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';
import { NO_REASON, type FailedFile, type SkippedTest, type Tally } from './tally.ts';

export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const file = process.env['CONDUCTOR_TALLY_FILE'];
    if (file === undefined) throw new Error('CONDUCTOR_TALLY_FILE does not say where to write the tally');
    const files = modules.map(tallyOf);
    const tally: Tally = {
      passed: files.reduce((sum, one) => sum + one.passed, 0),
      failed: files.reduce((sum, one) => sum + one.failed, unhandledErrors.length),
      skipped: files.flatMap((one) => one.skipped),
      failedFiles: files.filter((one) => one.failed > 0),
      flaky: [],
    };
    writeFileSync(file, JSON.stringify(tally));
  }
}

/** What the tests of one file came to; its message is empty when none failed. */
function tallyOf(module: TestModule): FailedFile {
  let passed = 0;
  let failed = countSuiteFailures(module);
  const skipped: SkippedTest[] = [];
  for (const test of module.children.allTests()) {
    const result = test.result();
    if (result.state === 'passed') passed += 1;
    else if (result.state === 'failed') failed += 1;
    else skipped.push({ name: nameOf(test), reason: reasonOf(test) });
  }
  const file = relative(process.cwd(), module.moduleId);
  return { file, passed, failed, skipped, message: failed === 0 ? '' : firstFailure(module) };
}

/** The name of what failed first, where it has one, and the first line of its message. */
function firstFailure(module: TestModule): string {
  for (const test of module.children.allTests()) {
    const { state, errors } = test.result();
    if (state === 'failed') return `${test.fullName}: ${firstLine(errors)}`;
  }
  for (const suite of module.children.allSuites()) {
    if (suite.errors().length > 0) return `${suite.fullName}: ${firstLine(suite.errors())}`;
  }
  return firstLine(module.errors());
}

function firstLine(errors: readonly { readonly message: string }[] | undefined): string {
  return errors?.[0]?.message.split('\n')[0] ?? 'it failed without a message';
}

/** Files that could not be loaded and suites whose hooks failed: their tests did not run, so nothing else counts them. */
function countSuiteFailures(module: TestModule): number {
  const suites = [...module.children.allSuites()];
  return [module, ...suites].filter((suite) => suite.errors().length > 0).length;
}

function nameOf(test: TestCase): string {
  return `${relative(process.cwd(), test.module.moduleId)} > ${test.fullName}`;
}

function reasonOf(test: TestCase): string {
  const result = test.result();
  if (result.state === 'skipped' && result.note !== undefined) return result.note;
  if (result.state === 'pending') return 'it was not reached before the run ended';
  return hasFailedParent(test) ? 'the set-up of its suite failed' : NO_REASON;
}

function hasFailedParent(test: TestCase): boolean {
  let parent: TestCase['parent'] = test.parent;
  while (parent.type === 'suite') {
    if (parent.errors().length > 0) return true;
    parent = parent.parent;
  }
  return parent.errors().length > 0;
}
