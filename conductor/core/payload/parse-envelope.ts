/**
 * Reads an envelope from the parsed JSON of conductor_commitUnsafePayload's first parameter, with the
 * leniency and in the words of Go's decoder (tools match on them): keys in any case, absent fields are
 * zero, the first bad value in document order is reported, a wrong kind of list or object only at the end.
 * Two things a JSON parser has already hidden: a key given twice, and escapes inside hex digits.
 * Transactions may have been read before (packed-transactions) and are taken as they are.
 */
import type { Envelope, ExecutionPayload, Withdrawal } from './envelope.ts';
import { PackedTransactions } from './packed-transactions.ts';
import { readBytes, readFixed, readQuantity, kindOf } from './hex-fields.ts';

/** Why JSON is not an envelope. */
export class EnvelopeError extends Error {
  readonly code = 'envelope';
  override readonly name = 'EnvelopeError';
  /** 'malformed': a value cannot be read, `message` as Go words it; 'incomplete': what must be there is not (Go crashes). */
  readonly reason: 'malformed' | 'incomplete';

  constructor(reason: 'malformed' | 'incomplete', message: string) {
    super(message);
    this.reason = reason;
  }
}

type Draft<T> = { -readonly [Key in keyof T]: T[Key] };
/** Stores a value in the draft, or says in Go's words why it cannot be. */
type FieldReader<T> = (draft: Draft<T>, value: unknown, late: LateProblems) => string | null;

/** Problems that count only when no value after them is bad; the first one stays. */
interface LateProblems {
  kind: string | null;
  incomplete: string | null;
}

const EXTRA_DATA_TEXT_MAX = 68;
/** Longest text of an extraData that is quoted in its refusal, in characters. */
const QUOTED_TEXT_MAX = 1024;
const PAYLOAD_PATH = 'ExecutionPayload.executionPayload';

/** The envelope, or why there is none. Byte fields are fresh; nothing of `json` is kept. */
export function parseEnvelope(json: unknown): Envelope | EnvelopeError {
  if (json === null || json === undefined)
    return new EnvelopeError('incomplete', 'a payload envelope is needed, but none was given');
  const kind = kindOf(json);
  if (kind !== 'object') {
    return new EnvelopeError(
      'malformed',
      `json: cannot unmarshal ${kind} into Go value of type eth.ExecutionPayloadEnvelope`,
    );
  }
  const late: LateProblems = { kind: null, incomplete: null };
  const draft: EnvelopeDraft = { parentBeaconBlockRoot: null, executionPayload: null };
  const problem = readFields(json as object, envelopeFields, draft, late) ?? late.kind;
  if (problem !== null) return new EnvelopeError('malformed', problem);
  const executionPayload = draft.executionPayload;
  if (executionPayload === null) return new EnvelopeError('incomplete', 'the envelope has no executionPayload');
  if (late.incomplete !== null) return new EnvelopeError('incomplete', late.incomplete);
  return { parentBeaconBlockRoot: draft.parentBeaconBlockRoot, executionPayload };
}

interface EnvelopeDraft {
  parentBeaconBlockRoot: Uint8Array | null;
  executionPayload: ExecutionPayload | null;
}

/** Runs over an object's members in document order; stops at the first bad value. */
function readFields<T>(
  json: object,
  fields: ReadonlyMap<string, FieldReader<T>>,
  draft: Draft<T>,
  late: LateProblems,
): string | null {
  for (const [key, value] of Object.entries(json)) {
    const reader = fields.get(key) ?? fields.get(key.toLowerCase());
    const problem = reader === undefined ? null : reader(draft, value, late);
    if (problem !== null) return problem;
  }
  return null;
}

/** Each reader under its own name and, for the match regardless of case, in lower case. */
function fieldTable<T>(readers: { readonly [key: string]: FieldReader<T> }): ReadonlyMap<string, FieldReader<T>> {
  const names = Object.entries(readers);
  return new Map([...names.map(([key, reader]) => [key.toLowerCase(), reader] as const), ...names]);
}

type KeysOf<T, Value> = { [Key in keyof T]-?: Value extends T[Key] ? Key : never }[keyof T];

function fixed<T>(key: KeysOf<T, Uint8Array>, bytes: number, type: string, path: string): FieldReader<T> {
  return (draft, value) => {
    const read = readFixed(value, bytes, type, path);
    return typeof read === 'string' ? read : assign(draft, key, read);
  };
}

function quantity<T>(key: KeysOf<T, bigint>, path: string, type = 'hexutil.Uint64', bits = 64): FieldReader<T> {
  return (draft, value) => {
    const read = readQuantity(value, bits, type, path);
    return typeof read === 'string' ? read : assign(draft, key, read);
  };
}

/** For fields that may be absent: null is. */
function orNull<T>(key: KeysOf<T, null>, reader: FieldReader<T>): FieldReader<T> {
  return (draft, value, late) => (value === null ? assign(draft, key, null) : reader(draft, value, late));
}

/** For fields that are zero when null. */
function unlessNull<T>(reader: FieldReader<T>): FieldReader<T> {
  return (draft, value, late) => (value === null ? null : reader(draft, value, late));
}

function assign<T>(draft: Draft<T>, key: keyof T, value: unknown): null {
  draft[key] = value as T[keyof T];
  return null;
}

const envelopeFields = fieldTable<EnvelopeDraft>({
  parentBeaconBlockRoot: orNull(
    'parentBeaconBlockRoot',
    fixed('parentBeaconBlockRoot', 32, 'common.Hash', 'ExecutionPayloadEnvelope.parentBeaconBlockRoot'),
  ),
  executionPayload: (draft, value, late) => {
    if (value === null) return assign(draft, 'executionPayload', null);
    if (kindOf(value) !== 'object') {
      return wrongKind(late, value, 'ExecutionPayloadEnvelope.executionPayload', 'eth.ExecutionPayload');
    }
    const payload = emptyPayload();
    draft.executionPayload = payload;
    return readFields(value as object, payloadFields, payload, late);
  },
});

const hashField = (key: 'parentHash' | 'blockHash'): FieldReader<ExecutionPayload> =>
  fixed(key, 32, 'common.Hash', `${PAYLOAD_PATH}.${key}`);
const rootField = (key: 'stateRoot' | 'receiptsRoot' | 'prevRandao'): FieldReader<ExecutionPayload> =>
  fixed(key, 32, '*eth.Bytes32', `${PAYLOAD_PATH}.${key}`);
const countField = (key: 'blockNumber' | 'gasLimit' | 'gasUsed' | 'timestamp'): FieldReader<ExecutionPayload> =>
  quantity(key, `${PAYLOAD_PATH}.${key}`);
const blobField = (key: 'blobGasUsed' | 'excessBlobGas'): FieldReader<ExecutionPayload> =>
  orNull(key, quantity(key, `${PAYLOAD_PATH}.${key}`));

const payloadFields = fieldTable<ExecutionPayload>({
  parentHash: hashField('parentHash'),
  feeRecipient: fixed('feeRecipient', 20, 'common.Address', `${PAYLOAD_PATH}.feeRecipient`),
  stateRoot: rootField('stateRoot'),
  receiptsRoot: rootField('receiptsRoot'),
  logsBloom: fixed('logsBloom', 256, '*eth.Bytes256', `${PAYLOAD_PATH}.logsBloom`),
  prevRandao: rootField('prevRandao'),
  blockNumber: countField('blockNumber'),
  gasLimit: countField('gasLimit'),
  gasUsed: countField('gasUsed'),
  timestamp: countField('timestamp'),
  extraData: readExtraData,
  baseFeePerGas: quantity('baseFeePerGas', `${PAYLOAD_PATH}.baseFeePerGas`, '*uint256.Int', 256),
  blockHash: hashField('blockHash'),
  transactions: readTransactions,
  withdrawals: readWithdrawals,
  blobGasUsed: blobField('blobGasUsed'),
  excessBlobGas: blobField('excessBlobGas'),
  withdrawalsRoot: orNull(
    'withdrawalsRoot',
    fixed('withdrawalsRoot', 32, 'common.Hash', `${PAYLOAD_PATH}.withdrawalsRoot`),
  ),
});

const withdrawalFields = fieldTable<Withdrawal>({
  index: unlessNull(quantity('index', `${PAYLOAD_PATH}.withdrawals.index`)),
  validatorIndex: unlessNull(quantity('validatorIndex', `${PAYLOAD_PATH}.withdrawals.validatorIndex`)),
  address: unlessNull(fixed('address', 20, 'common.Address', `${PAYLOAD_PATH}.withdrawals.address`)),
  amount: unlessNull(quantity('amount', `${PAYLOAD_PATH}.withdrawals.amount`)),
});

function readExtraData(draft: Draft<ExecutionPayload>, value: unknown): string | null {
  const text = typeof value === 'string' ? `"${value}"` : JSON.stringify(value);
  if (text.length > EXTRA_DATA_TEXT_MAX) {
    const quoted = Array.from(text.slice(0, QUOTED_TEXT_MAX));
    const digits = quoted.map((character) => character.charCodeAt(0).toString(16).padStart(2, '0')).join('');
    return `input too long, expected at most 32 hex-encoded, 0x-prefixed, bytes: ${digits}`;
  }
  const read = readBytes(value, `${PAYLOAD_PATH}.extraData`);
  return typeof read === 'string' ? read : assign(draft, 'extraData', read);
}

function readTransactions(draft: Draft<ExecutionPayload>, value: unknown, late: LateProblems): string | null {
  if (value === null) return assign(draft, 'transactions', []);
  if (value instanceof PackedTransactions) {
    assign(draft, 'packedTransactions', value);
    return assign(draft, 'transactions', value.items);
  }
  if (!Array.isArray(value)) return wrongKind(late, value, `${PAYLOAD_PATH}.transactions`, '[]hexutil.Bytes');
  const transactions: Uint8Array[] = [];
  for (const item of value) {
    const read = readBytes(item, `${PAYLOAD_PATH}.transactions`);
    if (typeof read === 'string') return read;
    transactions.push(read);
  }
  return assign(draft, 'transactions', transactions);
}

function readWithdrawals(draft: Draft<ExecutionPayload>, value: unknown, late: LateProblems): string | null {
  if (value === null) return assign(draft, 'withdrawals', null);
  const path = `${PAYLOAD_PATH}.withdrawals`;
  if (!Array.isArray(value)) return wrongKind(late, value, path, 'types.Withdrawals');
  const withdrawals: Withdrawal[] = [];
  for (const item of value) {
    const kind = kindOf(item);
    if (kind === 'null') {
      late.incomplete ??= 'a withdrawal in the list is null';
      continue;
    }
    if (kind !== 'object')
      return `json: cannot unmarshal ${kind} into Go struct field ${path} of type types.Withdrawal`;
    const withdrawal: Draft<Withdrawal> = { index: 0n, validatorIndex: 0n, address: new Uint8Array(20), amount: 0n };
    const problem = readFields(item, withdrawalFields, withdrawal, late);
    if (problem !== null) return problem;
    withdrawals.push(withdrawal);
  }
  return assign(draft, 'withdrawals', withdrawals);
}

function wrongKind(late: LateProblems, value: unknown, path: string, type: string): null {
  late.kind ??= `json: cannot unmarshal ${kindOf(value)} into Go struct field ${path} of type ${type}`;
  return null;
}

function emptyPayload(): Draft<ExecutionPayload> {
  const zeros = new Uint8Array(256);
  const word = zeros.subarray(0, 32);
  return {
    parentHash: word,
    feeRecipient: zeros.subarray(0, 20),
    stateRoot: word,
    receiptsRoot: word,
    logsBloom: zeros,
    prevRandao: word,
    blockNumber: 0n,
    gasLimit: 0n,
    gasUsed: 0n,
    timestamp: 0n,
    extraData: zeros.subarray(0, 0),
    baseFeePerGas: 0n,
    blockHash: word,
    transactions: [],
    withdrawals: null,
    blobGasUsed: null,
    excessBlobGas: null,
    withdrawalsRoot: null,
  };
}
