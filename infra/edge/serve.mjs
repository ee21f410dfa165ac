/**
 * Serves the built site as the edge would: workerd with wrangler.jsonc, on the loopback. Plain Node ≥ 22, because
 * wrangler wants it. Prints the address on a line of its own, and ends when it is told to or when whoever started it
 * has ended. Arguments: the port, 0 for any, and the folder of the built site.
 */
import { join } from 'node:path';
import { unstable_startWorker as startWorker } from 'wrangler';

const PARENT_POLL_MS = 500;
/** workerd ends within this, or is left to whoever ends our process group. */
const DISPOSE_MS_MAX = 5_000;

const [port, folder] = process.argv.slice(2);
const starting = startWorker({
  config: join(import.meta.dirname, 'wrangler.jsonc'),
  assets: folder,
  dev: {
    server: { hostname: '127.0.0.1', port: Number(port) },
    inspector: false,
    logLevel: 'warn',
    persist: false,
    watch: false,
    liveReload: false,
  },
});

let isEnding = false;
function end() {
  if (isEnding) return;
  isEnding = true;
  setTimeout(() => process.exit(1), DISPOSE_MS_MAX);
  void starting.then((worker) => worker.dispose()).then(() => process.exit(0));
}
process.on('SIGINT', end);
process.on('SIGTERM', end);
process.on('SIGHUP', end);
const parent = process.ppid;
setInterval(() => process.ppid === parent || end(), PARENT_POLL_MS);

const worker = await starting;
await worker.ready;
console.log((await worker.url).href);
