/** Vitest reporter that writes how each test ended, by project, for `run.ts`. */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { OUTCOME_FILE, type TestOutcome } from './batch.ts';

export default class OutcomeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const outcomes: TestOutcome[] = modules.flatMap((module) => {
      const file = relative(process.cwd(), module.moduleId);
      return [...module.children.allTests()].map((test) => {
        return { project: module.project.name, file, name: test.fullName, state: test.result().state };
      });
    });
    writeFileSync(process.env[OUTCOME_FILE] ?? '', JSON.stringify(outcomes));
  }
}
