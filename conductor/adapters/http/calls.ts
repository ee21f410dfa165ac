/** Runs the calls of JSON-RPC requests: who may, what is counted, and what admin calls leave in the audit log. */
import type { Metrics } from '#conductor/core/ports';
import { resolveCall, type DispatchOptions, type RefusedAdmin, type Resolved } from '#conductor/core/rpc/dispatch';
import { anybody, type Guard, type Identity } from '#conductor/core/rpc/identity';
import { ErrorCode, type Call, type Outcome } from '#conductor/core/rpc/message';
import type { MethodName } from '#conductor/core/rpc/methods';
import type { ParamValue } from '#conductor/core/rpc/params';
import { callerAddress } from '../system/every-interface.ts';
import { pageDetector } from '../auth/web-page.ts';
import type { Arrival, ArrivalTimes } from './arrival-times.ts';

/** One resolved call and who asks. */
export interface Invocation {
  readonly method: MethodName;
  readonly values: readonly ParamValue[];
  /** Address of the caller; asked of the socket when it is read. */
  readonly from: string;
  /** The name the caller has proved; '' when none was asked for. */
  readonly as: string;
  /** How its request came, for traces; absent where it came by no request. */
  readonly arrival?: Arrival;
}

/** What a request says about its caller. */
export interface Proof {
  /** Its Authorization header; null when there is none. */
  readonly authorization: string | null;
  /** Why it is taken for a web page's; null when nothing says so. */
  readonly pageSign: string | null;
}

/** Who may call methods that change something, and where it is recorded that somebody might not. */
export interface AdminGate {
  /** Judges a request that calls a guarded method. */
  identify(proof: Proof, guard: Guard): Identity;
  /** An admin call that was answered with an error instead of being carried out. */
  refused(call: Call, refusal: RefusedAdmin, caller: { readonly from: string; readonly message: string }): void;
}

export interface CallOptions {
  readonly dispatch: DispatchOptions;
  readonly metrics: Metrics;
  /** Absent: everybody may call everything. */
  readonly gate?: AdminGate;
  /** Runs a call; its outcome is there at once or resolves, and never rejects. */
  invoke(invocation: Invocation): Outcome | Promise<Outcome>;
}

/** Who sent a request. */
export class Caller {
  readonly #request: Request;
  readonly #server: Bun.Server<undefined>;
  readonly #identify: Judge;
  readonly #times: ArrivalTimes;
  /** A call of it was refused for want of a proof of identity. */
  isRefused = false;

  constructor(request: Request, server: Bun.Server<undefined>, identify: Judge, times: ArrivalTimes) {
    this.#times = times;
    this.#request = request;
    this.#server = server;
    this.#identify = identify;
  }

  /** Its address; '' when it is gone. */
  get from(): string {
    return callerAddress(this.#server.requestIP(this.#request)?.address ?? '');
  }

  get arrival(): Arrival {
    const { headers } = this.#request;
    const traceparent = headers.get('traceparent');
    const parent = traceparent === null ? null : { traceparent, tracestate: headers.get('tracestate') ?? '' };
    return { ...this.#times, parent };
  }

  identify(guard: Guard): Identity {
    return this.#identify(this.#request.headers, guard);
  }
}

/** Judges callers by the headers of their requests. */
type Judge = (fields: Headers, guard: Guard) => Identity;

/** Makes the judge of a server that listens at `hostname`. */
export function identifier(gate: AdminGate | undefined, hostname: string): Judge {
  if (gate === undefined) return () => anybody;
  const pageSign = pageDetector(hostname);
  return (fields, guard) => {
    const origin = fields.get('origin') ?? undefined;
    const site = fields.get('sec-fetch-site') ?? undefined;
    // op-node may know a loopback listener by any name; a page's POST has an origin whatever its host is.
    const host = guard === 'no-page' ? undefined : (fields.get('host') ?? undefined);
    return gate.identify(
      { authorization: fields.get('authorization'), pageSign: pageSign({ origin, host, site }) },
      guard,
    );
  };
}

/** A call of a request; what is asked of its socket and head is asked only when it is read. */
class CallInvocation implements Invocation {
  readonly method: MethodName;
  readonly values: readonly ParamValue[];
  readonly as: string;
  readonly #caller: Caller;

  constructor({ method, values, as }: Extract<Resolved, { kind: 'invoke' }>, caller: Caller) {
    this.method = method;
    this.values = values;
    this.as = as;
    this.#caller = caller;
  }

  get from(): string {
    return this.#caller.from;
  }

  get arrival(): Arrival {
    return this.#caller.arrival;
  }
}

/** Answers one call, which began at `beganMs` by the runtime's clock. */
export function runCall(options: CallOptions, call: Call, caller: Caller, beganMs: number): Outcome | Promise<Outcome> {
  const { metrics } = options;
  const resolved = resolveCall(call, options.dispatch, (guard) => caller.identify(guard));
  // Only names from the table become labels, so that callers cannot make up series.
  const labels = labelsOf(resolved.method ?? 'other');
  metrics.count('rpc_server_requests_total', labels);
  metrics.count('rpc_server_params_size_total', labels, call.params.text.length + (call.params.cutBytes ?? 0));
  const finish = (outcome: Outcome): Outcome => {
    metrics.observe('rpc_server_request_duration_seconds', (performance.now() - beganMs) / 1000, labels);
    const error = outcome.kind === 'error' ? errorLabel(outcome.code) : '<nil>';
    metrics.count('rpc_server_responses_total', answerLabelsOf(labels, error));
    if (outcome.kind === 'result') metrics.count('rpc_server_results_size_total', labels, outcome.json.length);
    return outcome;
  };
  if (resolved.kind === 'answered') {
    if (resolved.outcome.kind === 'error' && resolved.outcome.code === ErrorCode.unauthorized) caller.isRefused = true;
    recordRefusal(options, call, caller, resolved);
    return finish(resolved.outcome);
  }
  const outcome = options.invoke(new CallInvocation(resolved, caller));
  return outcome instanceof Promise ? outcome.then(finish) : finish(outcome);
}

interface CallLabels {
  readonly rpc: 'main';
  readonly method: string;
}
interface AnswerLabels extends CallLabels {
  readonly error: string;
}
const callLabels = new Map<string, CallLabels>();
/** Of one call, by how it ended. */
const answerLabels = new Map<CallLabels, Map<string, AnswerLabels>>();

/** Labels of a call; the same object for the same call, which makes counting cheap. Methods and codes are few. */
function labelsOf(method: string): CallLabels {
  const known = callLabels.get(method);
  if (known !== undefined) return known;
  const labels: CallLabels = { rpc: 'main', method };
  callLabels.set(method, labels);
  return labels;
}

/** Codes of ours, of geth and of op-node that have a label of their own; a backend may make up any number of others. */
const labelledCodes: ReadonlySet<number> = new Set([
  ...Object.values(ErrorCode),
  ...[-32603, -32001, -32002, -38001, -38002, -38003, -38004, -38005, -39001, 1, 3, 4444],
]);

function errorLabel(code: number): string {
  return labelledCodes.has(code) ? `rpc_${code}` : 'rpc_other';
}

function answerLabelsOf(call: CallLabels, error: string): AnswerLabels {
  const known = answerLabels.get(call)?.get(error);
  if (known !== undefined) return known;
  const labels: AnswerLabels = { ...call, error };
  answerLabels.set(call, (answerLabels.get(call) ?? new Map<string, AnswerLabels>()).set(error, labels));
  return labels;
}

function recordRefusal(
  options: CallOptions,
  call: Call,
  caller: Caller,
  { outcome, refusedAdmin }: Extract<Resolved, { kind: 'answered' }>,
): void {
  if (refusedAdmin === undefined || outcome.kind === 'result') return;
  options.gate?.refused(call, refusedAdmin, { from: caller.from, message: outcome.message });
}
