/**
 * Which calls go through a proxy that the environment names. The runtime reads the variables at each call, sends those to
 * this machine through it as well, and knows ALL_PROXY; op-conductor's client does neither.
 */

type Environment = Record<string, string | undefined>;

/** As isLoopback has it, in the form of NO_PROXY. */
const loopback = 'localhost,127.0.0.0/8,::1';

/** Calls to this machine go to it directly from now on. */
export function directToLoopback(env: Environment): void {
  const others = firstOf(env, 'NO_PROXY');
  env['NO_PROXY'] = others === '' ? loopback : `${others},${loopback}`;
}

/** All calls go as Go's net/http has them from now on. */
export function proxiesAsInGo(env: Environment): void {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY']) {
    const value = firstOf(env, name);
    if (value !== '') env[name] = value;
  }
  for (const name of ['ALL_PROXY', 'all_proxy']) delete env[name];
  directToLoopback(env);
}

/** Its value, the capitals' first as in Go; the other spelling, which the runtime prefers, is taken away. */
function firstOf(env: Environment, name: string): string {
  const [upper, lower] = [env[name] ?? '', env[name.toLowerCase()] ?? ''];
  delete env[name.toLowerCase()];
  return upper === '' ? lower : upper;
}
