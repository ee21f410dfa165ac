/**
 * Ports that stay the same over restarts of a node. They are taken below the range from which the
 * system gives ports to outgoing connections: a dial to a dead node could otherwise be given the
 * node's own port, connect to itself, and keep the node from coming back.
 */

/** Above the ports that devnets under test may use. */
const LOWEST = 24_000;
const HIGHEST = 32_000;
/** Files of tests that run side by side, four at most, take their ports from shares of their own. */
const SHARES = 4;
const SHARE = Number(process.env['VITEST_POOL_ID'] ?? 0) % SHARES;
const COUNT = Math.floor((HIGHEST - LOWEST) / SHARES);
/** Where the next is looked for, of the ports of this share: after the last one that was handed out. */
let next = Math.floor(Math.random() * COUNT);

/** `count` ports on 127.0.0.1 that nothing listens on now; none is handed out again before all others were. */
export function freePorts(count: number): number[] {
  const ports: number[] = [];
  for (let attempt = 0; attempt < COUNT && ports.length < count; attempt += 1) {
    const port = LOWEST + next * SHARES + SHARE;
    next = (next + 1) % COUNT;
    if (isFree(port)) ports.push(port);
  }
  if (ports.length < count) throw new Error(`fewer than ${count} free ports between ${LOWEST} and ${HIGHEST}`);
  return ports;
}

function isFree(port: number): boolean {
  try {
    Bun.listen({ hostname: '127.0.0.1', port, exclusive: true, socket: { data() {} } }).stop(true);
    return true;
  } catch {
    return false;
  }
}
