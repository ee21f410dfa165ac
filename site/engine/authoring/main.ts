/** `npm run docs`: the authoring server. `-- --port 4000` for another port; 0 for any that is free. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { portOption } from '../../../scripts/port-option.ts';
import { siteSettings } from '../settings.ts';
import { startAuthoringServer } from './authoring-server.ts';

const DEFAULT_PORT = '4321';
const USAGE = `usage: npm run docs -- [--port <port>] [--pages <folder>]
  --port <port>     where the site is served; ${DEFAULT_PORT} without it, 0 takes any that is free
  --pages <folder>  pages and menus of another site; content/pages without it`;

const root = join(import.meta.dirname, '..', '..', '..');

try {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      port: { type: 'string', default: DEFAULT_PORT },
      pages: { type: 'string', default: join(root, 'content', 'pages') },
    },
  });
  if (values.help) console.log(USAGE);
  else await serve(portOption(values.port), resolve(values.pages));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
}

async function serve(port: number, pages: string): Promise<void> {
  const started = performance.now();
  const { url, close } = await startAuthoringServer({ root, pages, settings: siteSettings(process.env), port }).catch(
    (error: unknown) => {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      throw isTaken ? new Error(`Port ${port} is taken; name another with -- --port.`) : error;
    },
  );
  console.log(`${url}  (ready in ${((performance.now() - started) / 1000).toFixed(1)} s; pages of ${pages})`);
  // Vite leaves some errors of a connection to nobody, such as a broken WebSocket frame; the author's work goes on.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => console.error(error));
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void close().then(() => process.exit(0)));
}
