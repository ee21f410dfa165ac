/** `npm run docs`: the authoring server. `-- --port 4000` for another port; 0 for any that is free. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { siteSettings } from '../settings.ts';
import { startAuthoringServer } from './authoring-server.ts';

const DEFAULT_PORT = '4321';

const root = join(import.meta.dirname, '..', '..', '..');
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: DEFAULT_PORT },
    pages: { type: 'string', default: join(root, 'content', 'pages') },
  },
});
const started = performance.now();
try {
  const { url, close } = await startAuthoringServer({
    root,
    pages: resolve(values.pages),
    settings: siteSettings(process.env),
    port: Number(values.port),
  });
  console.log(`${url}  (ready in ${((performance.now() - started) / 1000).toFixed(1)} s; pages of ${values.pages})`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void close().then(() => process.exit(0)));
} catch (error) {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  console.error(isTaken ? `Port ${values.port} is taken; name another with -- --port.` : error);
  process.exit(1);
}
