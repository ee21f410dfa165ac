/**
 * From the text of a body to typed calls, and from outcomes to the text of the answer. What is said of a call is
 * what the server that we replace says: of a name that no method has its length, its form as a subscription, or that it is unknown.
 * Nothing is executed here: the host passes each `invoke` to the Conductor and brings back outcomes.
 */
import { anybody, type Guard, type Identity } from './identity.ts';
import { ErrorCode, renderAnswer, type Call, type Item, type Outcome } from './message.ts';
import { asksWhoCalls, refusesPages, type Exposure, type MethodDefinition, type Offer } from './method.ts';
import { findMethod, methodTable, type MethodName } from './methods.ts';
import { result } from './outcomes.ts';
import { decodeParams, type ParamValue } from './params.ts';

/** Longest method name looked up, in UTF-8 bytes. */
const methodNameBytesMax = 2048;
/** Of one UTF-16 code unit; shorter names are not measured. */
const utf8BytesPerUnitMax = 3;
const encoder = new TextEncoder();

export interface DispatchOptions extends Exposure {
  /** Of the binary, for the OpenRPC document. */
  readonly version: string;
}

/** What to do with a call. */
export type Resolved =
  | {
      readonly kind: 'invoke';
      readonly method: MethodName;
      readonly values: readonly ParamValue[];
      readonly isAdmin: boolean;
      /** The caller's name where the method asked for one, else ''. */
      readonly as: string;
    }
  | {
      readonly kind: 'answered';
      readonly outcome: Outcome;
      /** The method that was answered, where it exists and its parameters are right. */
      readonly method?: MethodName;
      /** Set when a method that asks who calls was refused: for the audit log. */
      readonly refusedAdmin?: RefusedAdmin;
    };

/** Why an admin call was not carried out. */
export interface RefusedAdmin {
  readonly method: MethodName;
  readonly reason: 'disabled' | 'unauthorized' | 'invalid';
}

/** Finds the method of a call, asks callers who they are where that matters, and decodes the parameters. */
export function resolveCall(
  call: Call,
  options: DispatchOptions,
  identify: (guard: Guard) => Identity = () => anybody,
): Resolved {
  const method = findMethod(call.method);
  if (method === undefined) return withoutMethod(call);
  if (method.proxy !== undefined && !options.isProxyEnabled) return unavailable(call);
  const isAdmin = method.admin;
  const isGuarded = asksWhoCalls(method);
  const refuse = (reason: RefusedAdmin['reason'], code: number, message: string): Resolved => ({
    ...failed(code, message),
    ...(isGuarded ? { refusedAdmin: { method: method.name, reason } } : {}),
  });
  if (isAdmin && !options.isAdminEnabled) {
    return refuse(
      'disabled',
      ErrorCode.methodNotFound,
      `the method ${call.method} changes this conductor and is not available: start it with --rpc.enable-admin to allow that`,
    );
  }
  const identity = isGuarded ? identify('proof') : refusesPages(method) ? identify('no-page') : anybody;
  if (identity.kind === 'refused') return refuse('unauthorized', ErrorCode.unauthorized, identity.message);
  const decoded = decodeParams(method.params, call.params);
  if (decoded.kind === 'invalid') return refuse('invalid', ErrorCode.invalidParams, decoded.message);
  return (
    describe(method, options) ?? {
      kind: 'invoke',
      method: method.name,
      values: decoded.values,
      isAdmin,
      as: identity.name,
    }
  );
}

/** A name that no method has: too long, one of the subscriptions that are not offered, or unknown. */
function withoutMethod(call: Call): Resolved {
  if (call.method.length > methodNameBytesMax / utf8BytesPerUnitMax) {
    const nameBytes = encoder.encode(call.method).length;
    if (nameBytes > methodNameBytesMax) {
      return failed(ErrorCode.invalidRequest, `method name too long: ${nameBytes} > ${methodNameBytesMax}`);
    }
  }
  if (call.method.endsWith('_subscribe')) return failed(ErrorCode.methodNotFound, 'notifications not supported');
  if (call.method.endsWith('_unsubscribe')) return unsubscribe(call);
  return unavailable(call);
}

function unavailable({ method }: Call): Resolved {
  return failed(ErrorCode.methodNotFound, `the method ${method} does not exist/is not available`);
}

/** The methods about the methods are answered from the table. */
function describe(method: MethodDefinition & { readonly name: MethodName }, options: DispatchOptions): Resolved | null {
  if (method.answering.kind !== 'described') return null;
  return { kind: 'answered', outcome: descriptionOf(method.answering.describe, options), method: method.name };
}

const descriptions = new WeakMap<DispatchOptions, Map<(offer: Offer) => unknown, Outcome>>();

/** Made once for a server. */
function descriptionOf(describeOffer: (offer: Offer) => unknown, options: DispatchOptions): Outcome {
  const known = descriptions.get(options) ?? new Map<(offer: Offer) => unknown, Outcome>();
  descriptions.set(options, known);
  const made = known.get(describeOffer) ?? result(describeOffer({ ...options, methods: methodTable }));
  known.set(describeOffer, made);
  return made;
}

/** Longest answer to a batch, in characters; calls beyond it are not made. */
const batchAnswerMax = 8 * 1024 * 1024;
const tooLong: Outcome = { kind: 'error', code: ErrorCode.responseTooLarge, message: 'response too large' };
const notMade: Outcome = {
  kind: 'error',
  code: ErrorCode.failed,
  message: 'not carried out: other requests waited for the memory of this batch; send it in smaller ones',
};

/** Runs a message that came alone and returns the text of the answer ('' when nothing is to be said): at once where the outcome is. */
export function answerItem(item: Item, run: (call: Call) => Outcome | Promise<Outcome>): string | Promise<string> {
  if (item.kind === 'answered') return `${item.text}\n`;
  if (item.kind === 'ignored') return '';
  const outcome = run(item.call);
  return outcome instanceof Promise ? outcome.then((done) => answerTo(item.call, done)) : answerTo(item.call, outcome);
}

function answerTo({ id }: Call, outcome: Outcome): string {
  return id === null ? '' : `${renderAnswer(id, outcome)}\n`;
}

/**
 * Runs the items of a batch in order, one at a time, and returns the text of the answer ('' when nothing
 * is to be said): at once where every outcome is there at once. `pause` is asked between two items: null to
 * go on, else a promise that resolves when others have had their turn; `isOver` whether the rest is not to be run.
 */
export function answerBatch(
  items: readonly Item[],
  run: (call: Call) => Outcome | Promise<Outcome>,
  pause: () => Promise<void> | null = () => null,
  isOver: () => boolean = () => false,
): string | Promise<string> {
  const texts: string[] = [];
  let length = 0;
  const add = (text: string): void => {
    length += text.length;
    texts.push(text);
  };
  const from = (start: number): string | Promise<string> => {
    for (let index = start; index < items.length; index += 1) {
      const pausing = index === start ? null : pause();
      if (pausing !== null) return pausing.then(() => from(index));
      const item = items[index]!;
      if (item.kind === 'answered') add(item.text);
      if (item.kind !== 'call') continue;
      const { id } = item.call;
      const outcome = length > batchAnswerMax ? tooLong : index > 0 && isOver() ? notMade : run(item.call);
      const take = (done: Outcome): void => {
        if (id !== null) add(renderAnswer(id, done));
      };
      if (outcome instanceof Promise) return outcome.then(take).then(() => from(index + 1));
      take(outcome);
    }
    return texts.length === 0 ? '' : `[${texts.join(',')}]\n`;
  };
  return from(0);
}

function unsubscribe(call: Call): Resolved {
  const decoded = decodeParams([{ name: 'id', type: 'string', doc: 'Subscription id' }], call.params);
  if (decoded.kind === 'invalid') return failed(ErrorCode.invalidParams, decoded.message);
  return failed(ErrorCode.failed, 'subscription not found');
}

function failed(code: number, message: string): Extract<Resolved, { kind: 'answered' }> {
  return { kind: 'answered', outcome: { kind: 'error', code, message } };
}
