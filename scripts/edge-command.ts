/**
 * How to start infra/edge on this machine: with the Node that wrangler wants, and in an environment in which it writes
 * nothing outside of the repository, asks nobody on the network, and finds nobody's account.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { npmNode } from './npm-node.ts';

export interface EdgeCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '..');
const scratch = join(root, '.cache', 'edge');

/**
 * The program prints its address, a line that begins with `http://`, when it serves `folder` (a built site). `port`
 * 0 is any. A sentence instead of a command says why it cannot run here.
 */
export function edgeCommand(port: number, folder: string): EdgeCommand | string {
  const program = npmNode();
  if (program === null) return 'npm has no Node that runs here, and workerd would not run either';
  const temporary = join(scratch, 'tmp');
  mkdirSync(temporary, { recursive: true });
  return {
    program,
    args: [join(root, 'infra', 'edge', 'serve.mjs'), String(port), folder],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: scratch,
      TMPDIR: temporary,
      XDG_CONFIG_HOME: scratch,
      XDG_CACHE_HOME: scratch,
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_WRITE_LOGS: 'false',
      WRANGLER_REGISTRY_PATH: join(scratch, 'registry'),
      // It would fetch a description of a real request's origin.
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    },
  };
}
