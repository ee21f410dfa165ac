/**
 * Runs one program during set-up: its output is kept for the error message, a line every few
 * seconds says that it is still going, and it never outlives this process.
 * Plain Node ≥ 20: this runs before anything is installed.
 */
import { spawn } from 'node:child_process';

const OUTPUT_BYTES_MAX = 64 * 1024;
const PROGRESS_MS = 5_000;
const PARENT_POLL_MS = 500;
const KILL_AFTER_MS = 3_000;

/**
 * @typedef {object} Outcome
 * @property {number} code Exit code; 127 when the program could not be started.
 * @property {string} output The end of what it printed, both streams.
 */

/**
 * @param {string} label What is being done, for the progress lines.
 * @param {readonly string[]} command Program and arguments.
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<Outcome>}
 */
export function runProgram(label, command, options) {
  const [program = '', ...args] = command;
  const startedMs = Date.now();
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (/** @type {Buffer} */ chunk) => {
    output = (output + chunk.toString('utf8')).slice(-OUTPUT_BYTES_MAX);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const progress = setInterval(() => {
    console.log(`  … ${label} (${Math.round((Date.now() - startedMs) / 1000)} s)`);
  }, PROGRESS_MS);
  children.add(child);
  return new Promise((resolve) => {
    const settle = (/** @type {number} */ code) => {
      clearInterval(progress);
      children.delete(child);
      resolve({ code, output: output.trim() });
    };
    child.on('error', (error) => {
      output += error.message;
      settle(127);
    });
    child.on('close', (code) => settle(code ?? 1));
  });
}

/**
 * From now on a signal, or the death of the process that started this one, ends the running program,
 * calls `cleanUp` and exits with 128 + the signal's number.
 *
 * @param {() => void} cleanUp
 */
export function endWithParent(cleanUp) {
  let ending = false;
  const end = (/** @type {NodeJS.Signals} */ signal, /** @type {number} */ number) => {
    if (ending) return;
    ending = true;
    const leave = () => {
      cleanUp();
      process.exit(128 + number);
    };
    for (const child of children) {
      child.kill(signal);
      child.once('close', () => children.size === 0 && leave());
    }
    if (children.size === 0) leave();
    setTimeout(() => {
      for (const child of children) child.kill('SIGKILL');
      leave();
    }, KILL_AFTER_MS);
  };
  process.on('SIGINT', () => end('SIGINT', 2));
  process.on('SIGHUP', () => end('SIGTERM', 1));
  process.on('SIGTERM', () => end('SIGTERM', 15));
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || end('SIGTERM', 15), PARENT_POLL_MS).unref();
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();
