/**
 * What a row of the method table is: a method with its parameters and what answers it, in one place. The arguments of
 * a handler follow from the parameters, so that neither can change without the other.
 */
import type { RpcEvent, ServiceHost } from './service-host.ts';
import type { Shape } from './answer-shape.ts';
import type { Difference } from '../difference.ts';
import type { AdminState, Changes } from './changes.ts';
import type { ParamSpec, ParamType, ParamValue } from './params.ts';

/** Which methods a server offers beyond those that are always there. */
export interface Exposure {
  /** --rpc.enable-admin (rule 23). */
  readonly isAdminEnabled: boolean;
  /** --rpc.enable-proxy. */
  readonly isProxyEnabled: boolean;
}

/** A JSON schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** What a method answers: a plain value, or an object as a few words say it, with its schema. */
export type Result = PlainResult | { readonly words: string; readonly schema: Schema };
export type PlainResult = 'null' | 'bool' | 'string' | 'uint64';

/** A method that op-conductor has not, as the table of differences tells it in that area. */
export interface OwnMethod extends Difference {
  readonly area: 'rpc' | 'control';
}

/** What a server tells of its own methods. */
export interface Offer extends Exposure {
  /** Of the binary. */
  readonly version: string;
  /** The whole table. */
  readonly methods: readonly MethodDefinition[];
}

/** How a method is proxied. */
export interface ProxySpec {
  readonly target: 'node' | 'execution';
  /** Type of the answer. */
  readonly shape: Shape;
  /**
   * What comes of a backend's error with data: 'forwarded' keeps code and data, 'flattened' becomes
   * -32000 with the data in the message. Two clients of theirs differ in this.
   */
  readonly errorData: 'forwarded' | 'flattened';
  /** The first parameter is a height in hex whose problems are errors of the call itself. */
  readonly isHeightChecked?: boolean;
  /** Answered whoever leads. */
  readonly isForFollowers?: boolean;
  /** Changes something behind us: where credentials are set, callers must have them, as for admin methods. */
  readonly isGuarded?: boolean;
}

/** What a method that changes something is carried out with. */
export interface CallContext {
  readonly host: ServiceHost;
  readonly changes: Changes;
}

/** What answers a method. */
export type Answering =
  /** This node's own state, at once. */
  | { readonly kind: 'read'; readonly read: (host: ServiceHost) => unknown }
  /** The table itself, without a conductor. */
  | { readonly kind: 'described'; readonly describe: (offer: Offer) => unknown }
  /** The backend that `proxy` names. */
  | { readonly kind: 'proxied' }
  | {
      readonly kind: 'carriedOut';
      readonly carryOut: (context: CallContext, call: RpcEvent) => void;
      /** The state that the audit line tells before and after; null for a method that leaves none. */
      readonly changes: AdminState | null;
    };

export interface MethodDefinition {
  readonly name: string;
  readonly params: readonly ParamSpec[];
  /** Shape of the result in a few words. */
  readonly result: string;
  /** Of a result that is more than a plain value. */
  readonly schema?: Schema;
  readonly doc: string;
  /** Of a method that op-conductor has not. */
  readonly own?: OwnMethod;
  /** Changes the cluster or this node: needs --rpc.enable-admin (rule 23). */
  readonly admin: boolean;
  readonly answering: Answering;
  /** Answered by the node or the execution client behind this conductor: needs --rpc.enable-proxy. */
  readonly proxy?: ProxySpec;
  /** The release that brought it; left out for those of the first. */
  readonly since?: string;
}

/** What a parameter reaches its handler as, by kind. */
interface ValueOf extends Record<ParamType, ParamValue> {
  readonly string: string;
  readonly uint64: bigint;
  readonly bool: boolean;
  readonly block: string;
  readonly quantity: bigint;
  readonly payload: { readonly payload: unknown };
}
type ValuesOf<Params extends readonly ParamSpec[]> = { [At in keyof Params]: ValueOf[Params[At]['type']] };

/** Does what a call asks for. It answers by itself, sooner or later, once. */
export type Handler<Params extends readonly ParamSpec[]> = (
  context: CallContext,
  call: RpcEvent,
  ...values: ValuesOf<Params>
) => void;

/** What is told of a method. */
interface Told {
  readonly doc: string;
  /** null unless it is given. */
  readonly result?: Result;
  readonly own?: OwnMethod;
}

/** A method that only says how things are. */
export function read<const Name extends string>(name: Name, row: Told, answer: (host: ServiceHost) => unknown) {
  return { name, params: [], ...told(row), admin: false, answering: { kind: 'read', read: answer } } as const;
}

/** A method about the methods. */
export function described<const Name extends string>(name: Name, row: Told, describe: (offer: Offer) => unknown) {
  return { name, params: [], ...told(row), admin: false, answering: { kind: 'described', describe } } as const;
}

/** A method that anybody may call, and that does something. */
export function method<const Name extends string, const Params extends readonly ParamSpec[]>(
  name: Name,
  params: Params,
  row: Told,
  handler: Handler<Params>,
) {
  return { name, params, ...told(row), admin: false, answering: carriedOut(params, null, handler) } as const;
}

/** A method that changes the cluster or this node, or, with `changes: null`, tells what is not for everybody; each call is audited. */
export function admin<const Name extends string, const Params extends readonly ParamSpec[]>(
  name: Name,
  params: Params,
  { changes, ...row }: Told & { readonly changes: AdminState | null },
  handler: Handler<Params>,
) {
  return { name, params, ...told(row), admin: true, answering: carriedOut(params, changes, handler) } as const;
}

export function proxied<const Name extends string>(
  name: Name,
  params: readonly ParamSpec[],
  proxy: ProxySpec,
  [result, doc]: readonly [result: string, doc: string],
) {
  const answering = { kind: 'proxied' } as const;
  const whose = proxy.isForFollowers === true ? 'Answered whoever leads.' : 'Answered by the leader only.';
  return { name, params, result, doc: `${doc} ${whose}`, admin: false, answering, proxy } as const;
}

function told({ doc, result = 'null', own }: Told): Pick<MethodDefinition, 'doc' | 'result' | 'schema' | 'own'> {
  const { words, schema } = typeof result === 'string' ? { words: result } : result;
  return {
    result: words,
    ...(schema === undefined ? {} : { schema }),
    ...(own === undefined ? { doc } : { doc: `${doc} Not a method of op-conductor.`, own }),
  };
}

function carriedOut<Params extends readonly ParamSpec[]>(
  _params: Params,
  changes: AdminState | null,
  handler: Handler<Params>,
) {
  return {
    kind: 'carriedOut',
    changes,
    // The values were decoded by the very parameters that the handler is typed by (params.ts).
    carryOut: (context: CallContext, call: RpcEvent) => handler(context, call, ...(call.values as ValuesOf<Params>)),
  } as const;
}

/** Whether callers must say who they are, where credentials are set. */
export function asksWhoCalls({ admin: isAdmin, proxy }: MethodDefinition): boolean {
  return isAdmin || proxy?.isGuarded === true;
}

/** Whether it changes something and is open to callers without proof, since op-node has none: web pages are none of them. */
export function refusesPages(definition: MethodDefinition): boolean {
  return definition.answering.kind === 'carriedOut' && !asksWhoCalls(definition);
}

/** The methods a server offers. */
export function offeredMethods({ methods, isAdminEnabled, isProxyEnabled }: Offer): readonly MethodDefinition[] {
  return methods.filter((one) => (isAdminEnabled || !one.admin) && (isProxyEnabled || one.proxy === undefined));
}

export const modulesResult: Result = {
  words: '{module: version}',
  schema: { type: 'object', additionalProperties: { type: 'string' } },
};

/** Answer of rpc_modules: module names in order, each with version 1.0. */
export function moduleVersions(offer: Offer): Readonly<Record<string, string>> {
  const names = offeredMethods({ ...offer, isAdminEnabled: true }).map(({ name }) => name);
  const modules = new Set(names.filter((name) => name.includes('_')).map((name) => name.slice(0, name.indexOf('_'))));
  return Object.fromEntries([...modules].toSorted().map((name) => [name, '1.0']));
}
