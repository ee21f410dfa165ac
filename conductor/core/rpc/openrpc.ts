/**
 * The OpenRPC document of rpc.discover, made from the method table: what this server offers, with the
 * schemas of parameters and results and the errors a caller may meet.
 */
import type { Field, Shape } from './answer-shape.ts';
import { blockTags } from './hex-quantity.ts';
import { ErrorCode } from './message.ts';
import {
  asksWhoCalls,
  refusesPages,
  offeredMethods,
  type MethodDefinition,
  type Offer,
  type PlainResult,
  type Schema,
} from './method.ts';
import type { ParamSpec, ParamType } from './params.ts';

const hex = (pattern: string, doc: string): Schema => ({ type: 'string', pattern, description: doc });

const paramSchemas: Readonly<Record<ParamType, Schema>> = {
  string: { type: 'string' },
  uint64: { type: 'integer', minimum: 0 },
  bool: { type: 'boolean' },
  block: { anyOf: [{ enum: blockTags }, hex('^0x(0|[1-9a-fA-F][0-9a-fA-F]*)$', 'Height')] },
  quantity: hex('^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,63})$', 'Number of up to 256 bits'),
  payload: {
    type: 'object',
    required: ['executionPayload'],
    properties: { parentBeaconBlockRoot: { type: 'string' }, executionPayload: { type: 'object' } },
  },
};

const plainResults: Readonly<Record<string, Schema>> = {
  null: { type: 'null' },
  bool: paramSchemas.bool,
  string: paramSchemas.string,
  uint64: paramSchemas.uint64,
} satisfies Readonly<Record<PlainResult, Schema>>;

const errors: Readonly<Record<string, Schema>> = {
  InvalidParams: {
    code: ErrorCode.invalidParams,
    message: 'A parameter is missing, of the wrong kind, or one too many.',
  },
  Failed: { code: ErrorCode.failed, message: 'The call failed; the message says why.' },
  Outcome: {
    code: ErrorCode.failed,
    message: 'The payload was refused, or its outcome is unknown.',
    data: {
      type: 'object',
      required: ['outcome', 'reason'],
      properties: {
        outcome: { enum: ['refused', 'unknown'] },
        reason: { type: 'string' },
        committed: { type: 'object' },
      },
    },
  },
  Unauthorized: { code: ErrorCode.unauthorized, message: 'The caller has not proved who they are.' },
};

/** The document, for the methods that are on. */
export function openRpcDocument(offer: Offer): Schema {
  return {
    openrpc: '1.3.2',
    info: {
      title: 'Conductor',
      version: offer.version,
      description: "Keeps a rollup's sequencer highly available. A drop-in for op-conductor.",
    },
    methods: offeredMethods(offer).map(describeMethod),
    components: { errors },
  };
}

function describeMethod(method: MethodDefinition): Schema {
  const names = ['InvalidParams', method.name === 'conductor_commitUnsafePayload' ? 'Outcome' : 'Failed'];
  if (asksWhoCalls(method) || refusesPages(method)) names.push('Unauthorized');
  return {
    name: method.name,
    summary: method.doc,
    tags: [{ name: method.admin ? 'admin' : method.proxy === undefined ? 'read' : 'proxy' }],
    paramStructure: 'by-position',
    params: method.params.map(describeParam),
    result: { name: 'result', schema: resultSchema(method) },
    errors: names.map((name) => ({ $ref: `#/components/errors/${name}` })),
  };
}

/** A struct or a map may be null: then the backend knows no such thing. */
function resultSchema({ proxy, result, schema }: MethodDefinition): Schema {
  if (proxy === undefined) return schema ?? plainResults[result] ?? {};
  const proxied = schemaOf(proxy.shape);
  return proxied['type'] === 'object' ? { anyOf: [proxied, { type: 'null' }] } : proxied;
}

function describeParam(param: ParamSpec): Schema {
  const { name, doc, type, fallback } = param;
  const schema = paramSchemas[type];
  const isOptional = fallback !== undefined;
  const value = typeof fallback === 'bigint' ? Number(fallback) : fallback;
  return { name, description: doc, required: !isOptional, schema: isOptional ? { ...schema, default: value } : schema };
}

function schemaOf(shape: Shape): Schema {
  switch (shape.kind) {
    case 'struct':
      return {
        type: 'object',
        required: shape.fields.filter(({ presence }) => !presence.startsWith('omitted')).map(({ key }) => key),
        properties: Object.fromEntries(shape.fields.map((field) => [field.key, fieldSchema(field)])),
      };
    case 'map':
      return { type: 'object' };
    case 'uint':
    case 'integer':
      return { type: 'integer' };
    case 'bool':
      return { type: 'boolean' };
    case 'text':
      return { type: 'string' };
    case 'hex':
      return { type: 'string', pattern: `^0x[0-9a-f]{${2 * shape.bytes}}$` };
  }
}

function fieldSchema({ shape, presence }: Field): Schema {
  const schema = schemaOf(shape);
  return presence === 'optional' ? { anyOf: [schema, { type: 'null' }] } : schema;
}
