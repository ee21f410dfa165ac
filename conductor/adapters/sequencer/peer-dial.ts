/**
 * Tries whether a server that is about to join can be reached, before anything is written, with the error texts of
 * Go's dialler: tools match on them, and the runtime's own words change with it.
 */
import type { CallResult, NodeRequest } from '#conductor/core/node/calls';
import { addressFault, parseHostPort, type HostPort } from '../tcp/address.ts';

type Reason = 'refused' | 'timeout' | 'unreachable';

/** Opens and closes a TCP connection; never rejects. The one parameter of the request is the address. */
export async function dialPeer({ params, timeoutMs }: NodeRequest): Promise<CallResult> {
  const [address] = JSON.parse(params) as [string];
  const fault = addressFault(address);
  if (fault !== null) return failed('unreachable', `dial tcp: ${fault}`);
  const target = parseHostPort(address);
  // Nobody listens at port 0.
  if (target === null) return failed('refused', `dial tcp ${address}: connect: connection refused`);
  const { promise, resolve } = Promise.withResolvers<CallResult>();
  const timer = setTimeout(() => resolve(failed('timeout', `dial tcp ${address}: i/o timeout`)), timeoutMs);
  const result = await Promise.race([open(address, target), promise]);
  clearTimeout(timer);
  return result;
}

/** Closes the connection at once, also one that comes about too late. */
async function open(address: string, { host, port }: HostPort): Promise<CallResult> {
  try {
    const socket = { data: () => undefined, error: () => undefined };
    (await Bun.connect({ hostname: host, port, socket })).end();
    return { kind: 'result', value: true };
  } catch (thrown) {
    return failure(address, host, thrown);
  }
}

function failure(address: string, host: string, thrown: unknown): CallResult {
  const code = String((thrown as { code?: unknown }).code ?? 'no reason given');
  if (code === 'ENOTFOUND') return failed('unreachable', `dial tcp: lookup ${host}: no such host`);
  if (code.startsWith('EAI_')) return failed('unreachable', `dial tcp: lookup ${host}: the name could not be resolved`);
  const isRefused = code === 'ECONNREFUSED' || code === 'ECONNRESET';
  return isRefused
    ? failed('refused', `dial tcp ${address}: connect: connection refused`)
    : failed('unreachable', `dial tcp ${address}: connect: ${code}`);
}

function failed(reason: Reason, message: string): CallResult {
  return { kind: 'failed', reason, message };
}
