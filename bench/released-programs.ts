/**
 * Vitest's set-up of what starts processes, in `npm run test:full`: names the released programs to the tests that run beside
 * them, and builds those that are not named, once, with Go. What cannot be had is said, and its tests are skipped.
 */
import { needOpStack, OP_STACK_VARIABLES, type OpStackProgram } from './op-stack.ts';

const programs: readonly OpStackProgram[] = ['op-conductor', 'op-node', 'op-geth'];

export async function setup(): Promise<void> {
  for (const program of programs) {
    const found = await needOpStack(program);
    if ('path' in found) process.env[OP_STACK_VARIABLES[program]] = found.path;
    else console.log(`without ${program}: ${found.missing}`);
  }
}
