/**
 * `npm run docs:preview`: serves dist/site exactly as the edge would, in workerd with the configuration of infra/edge,
 * until Ctrl-C. Builds the site first when there is none. Options: `-- --port 0` for any port, `-- --site FOLDER` for
 * a site that was built elsewhere, and is not built here.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { edgeCommand } from './edge-command.ts';
import { portOption } from './port-option.ts';
import { endGroupOnSignals, runGroup } from './process-group.ts';

const root = join(import.meta.dirname, '..');
const PORT = 8788;
const PARENT_POLL_MS = 500;
const USAGE = `usage: npm run docs:preview -- [--port <port>] [--site <folder>]
  --port <port>    where the site is served; ${PORT} without it, 0 takes any that is free
  --site <folder>  a site that was built elsewhere; without it dist/site, which is built when there is none`;

try {
  process.exitCode = await preview();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

async function preview(): Promise<number> {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      port: { type: 'string', default: String(PORT) },
      site: { type: 'string' },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const port = portOption(values.port);
  if (isTaken(port)) throw new Error(`Port ${port} is in use; -- --port 0 takes any that is free.`);
  const site = resolve(values.site ?? join(root, 'dist', 'site'));
  const isBuilt = existsSync(join(site, 'index.html'));
  if (!isBuilt && values.site !== undefined)
    throw new Error(`There is no built site in ${site}; npm run docs:build -- --out builds one there.`);
  const command = edgeCommand(port, site);
  if (typeof command === 'string') throw new Error(`The edge cannot be shown: ${command}.`);
  endGroupOnSignals();
  endWithParent();
  if (!isBuilt) {
    const build = [join(root, 'site', 'engine', 'main.ts'), '--out', site];
    const code = await runGroup(process.execPath, build, { cwd: root, env: process.env });
    if (code !== 0) return code;
  }
  const { program, args, env } = command;
  const onLine = (line: string): void => {
    if (line.startsWith('http://')) console.log(`The site, as the edge serves it: ${line}\nCtrl-C ends it.`);
  };
  return runGroup(program, args, { cwd: root, env, onLine });
}

/** wrangler would wait for the port for ever. */
function isTaken(port: number): boolean {
  try {
    Bun.listen({ hostname: '127.0.0.1', port, socket: { data: () => undefined } }).stop(true);
    return false;
  } catch {
    return true;
  }
}

/** Whoever kills npm leaves us without a terminal and without a signal. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGTERM'), PARENT_POLL_MS).unref();
}
