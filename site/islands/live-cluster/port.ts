/**
 * The JSON-RPC port of a server of the run: the conductor's own reading of bodies, its method table and its answers,
 * without HTTP in between.
 */
import { resolveCall } from '#conductor/core/rpc/dispatch';
import { parseBody, renderAnswer } from '#conductor/core/rpc/message';
import type { Machine } from '#simulator/machine';
import type { PortCall } from './protocol.ts';

const ONE_CALL = 1;

/** Has the server answer; `answered` gets the text of the answer, at once or while time passes. */
export function answerOn(machine: Machine, { body, isAdminEnabled }: PortCall, answered: (text: string) => void): void {
  const read = parseBody(body, ONE_CALL);
  if (read.kind === 'failed') return answered(read.text);
  if (read.kind !== 'single' || read.item.kind === 'ignored') return answered('');
  if (read.item.kind === 'answered') return answered(read.item.text);
  const { call } = read.item;
  const id = call.id ?? 'null';
  const resolved = resolveCall(call, { isAdminEnabled, isProxyEnabled: true, version: 'simulated' });
  if (resolved.kind === 'answered') return answered(renderAnswer(id, resolved.outcome));
  machine.call(resolved.method, resolved.values, (outcome) => answered(renderAnswer(id, outcome)));
}
