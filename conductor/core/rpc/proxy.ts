/**
 * The proxied methods: what is asked of the node or the execution client, and what becomes of its
 * answer. The backend is asked first and leadership checked after (a leader deposed meanwhile must
 * not pass on the answer), by a quorum where this server is in doubt; a backend's error is passed on even by a follower, as
 * op-conductor does. What limits the client's blocks is answered whoever leads: it tells nothing of the chain, and whoever leads
 * next must have it.
 */
import type { CallResult, NodeRequest } from '../node/calls.ts';
import { shapeAnswer, type Shape, type Shaped } from './answer-shape.ts';
import { parseExact } from './exact-json.ts';
import { hexUint64 } from './hex-quantity.ts';
import { ErrorCode, type Outcome } from './message.ts';
import type { ProxySpec } from './method.ts';
import { findMethod } from './methods.ts';
import { failed } from './outcomes.ts';
import type { ParamValue } from './params.ts';
import type { RpcEvent, ServiceHost } from './service-host.ts';

/** Longest wait for the backend, milliseconds. */
const proxyDeadlineMs = 10_000;
/**
 * Calls that may wait for one backend at once; more are refused. Both backends together take less than the 1024
 * connections that we serve and the 256 requests that Bun's fetch makes at once, so that one that hangs leaves room
 * for every other caller and for what we ask ourselves.
 */
export const proxiesWaitingMax = 96;
/**
 * Longer objects are passed on with their keys in the order in which they came, characters: sorting one of this length
 * takes some milliseconds, and anybody may ask for a hundred of them at once.
 */
export const sortedLengthMax = 256 * 1024;
/** Any other answer is a few kilobytes; a longer one is not read, characters: 8 MiB of small values take seconds. */
export const plainLengthMax = 256 * 1024;

export interface ProxyHost {
  readonly outbox: ServiceHost['outbox'];
  /** Gives a command to the log; `then` is called once, with its result. */
  command(command: { readonly kind: 'read' }, then: (result: { readonly kind: string }) => void): void;
  /** As conductor_leader answers it. */
  readonly raft: { position(): { readonly role: string; readonly isSure: boolean } };
  readonly override: { readonly isOn: boolean };
}

/** The proxied calls under way. */
export class ProxyCalls {
  readonly #host: ProxyHost;
  readonly #counts = { node: 0, execution: 0 };

  constructor(host: ProxyHost) {
    this.#host = host;
  }

  /** False when the method is not proxied. */
  handle(event: RpcEvent): boolean {
    const spec = findMethod(event.method)?.proxy;
    if (spec === undefined) return false;
    const asked = proxyRequest(event.method, spec, event.values);
    if ('refused' in asked) this.#host.outbox.answer(event.answerId, asked.refused);
    else if (this.#counts[spec.target] >= proxiesWaitingMax) {
      this.#host.outbox.answer(
        event.answerId,
        failed(`${proxiesWaitingMax} proxied calls already wait for the backend`),
      );
    } else {
      this.#counts[spec.target] += 1;
      this.#host.outbox.call(asked.request, (answer) => this.#answered(event.answerId, spec, answer));
    }
    return true;
  }

  #answered(answerId: number, spec: ProxySpec, answer: CallResult): void {
    // Now, in the turn that the answer has for itself: many may wait for the quorum that confirms leadership.
    const outcome = proxyOutcome(spec, answer);
    const { role, isSure } = this.#host.raft.position();
    const isForAll = spec.isForFollowers === true || this.#host.override.isOn;
    const end = (isLeader: boolean): void => {
      this.#counts[spec.target] -= 1;
      this.#host.outbox.answer(answerId, isLeader || outcome.kind === 'error' ? outcome : notLeading);
    };
    // A leader in doubt is sure again a round trip later, and nobody else would answer meanwhile.
    if (role === 'leader' && !isSure && !isForAll)
      this.#host.command({ kind: 'read' }, ({ kind }) => end(kind === 'done'));
    else end(isForAll || role === 'leader');
  }
}

/** The request to the backend, or the answer when a parameter cannot be passed on. */
function proxyRequest(
  method: string,
  spec: ProxySpec,
  values: readonly ParamValue[],
): { readonly request: NodeRequest } | { readonly refused: Outcome } {
  let params = values.map((value) => JSON.stringify(typeof value === 'bigint' ? `0x${value.toString(16)}` : value));
  if (spec.isHeightChecked === true) {
    const height = hexUint64(String(values[0]));
    if ('problem' in height) return { refused: failed(`failed to decode block number: ${height.problem}`) };
    params = [`"0x${height.value.toString(16)}"`];
  }
  const request: NodeRequest = {
    target: spec.target,
    method,
    params: `[${params.join(',')}]`,
    timeoutMs: proxyDeadlineMs,
    isVerbatim: true,
  };
  return { request };
}

const notLeading = failed('refusing to proxy request to non-leader sequencer');

/** The answer to the caller of a leader; errors are everybody's. */
function proxyOutcome(spec: ProxySpec, answer: CallResult): Outcome {
  if (answer.kind === 'failed') return failed(answer.message);
  if (answer.kind === 'error') return backendError(spec, answer);
  const shaped = shapeText(spec.shape, String(answer.value));
  if ('problem' in shaped) return failed(shaped.problem);
  return { kind: 'result', json: shaped.json };
}

/** The answer's text after its type, or why it does not fit. */
function shapeText(shape: Shape, text: string): Shaped {
  const isBlock = shape.kind === 'map' && text.startsWith('{');
  if (isBlock && text.length > sortedLengthMax) return { json: text };
  if (!isBlock && text.length > plainLengthMax)
    return { problem: `the answer of the backend is longer than ${plainLengthMax} characters` };
  const value = parseExact(text);
  if (value === undefined)
    return { problem: 'the answer of the backend nests too deep or holds a number out of bounds' };
  return shapeAnswer(shape, value);
}

function backendError(spec: ProxySpec, { code, message, data }: Extract<CallResult, { kind: 'error' }>): Outcome {
  if (data === undefined) return { kind: 'error', code, message };
  if (spec.errorData === 'forwarded') return { kind: 'error', code, message, data };
  const text = data.startsWith('"') ? String(JSON.parse(data)) : data;
  return { kind: 'error', code: ErrorCode.failed, message: `${message}: ${text}` };
}
