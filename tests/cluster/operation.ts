/**
 * Operations of the test state machine: the first 16 bytes of a command name it by client and
 * sequence (two u64, big endian); a record adds the index at which it was applied.
 * The Go twin of this format is bench/gonode/machine.go.
 */

export const OPERATION_BYTES = 16;
export const RECORD_BYTES = 24;

/** One operation as a state machine holds it. All three fit in 53 bits. */
export interface OperationRecord {
  readonly index: number;
  readonly client: number;
  readonly sequence: number;
}

/** Writes the id of an operation over the first 16 bytes at `offset`. */
export function writeOperationId(target: Uint8Array, offset: number, client: number, sequence: number): void {
  const view = new DataView(target.buffer, target.byteOffset + offset, OPERATION_BYTES);
  view.setBigUint64(0, BigInt(client));
  view.setBigUint64(8, BigInt(sequence));
}

/** A command of `bytes` (≥ 16) that carries the operation's id; the rest is a fixed, incompressible-looking pattern. */
export function operationCommand(client: number, sequence: number, bytes: number): Uint8Array {
  const command = new Uint8Array(bytes);
  for (let at = OPERATION_BYTES; at < bytes; at += 1) command[at] = (at * 31 + (at >> 8)) & 0xff;
  writeOperationId(command, 0, client, sequence);
  return command;
}

/** Decodes the body of GET /operations. Throws a RangeError when it is not whole records. */
export function decodeRecords(body: Uint8Array): OperationRecord[] {
  if (body.byteLength % RECORD_BYTES !== 0)
    throw new RangeError(`${body.byteLength} bytes are not whole operation records`);
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const records: OperationRecord[] = [];
  for (let at = 0; at < body.byteLength; at += RECORD_BYTES) {
    records.push({
      index: Number(view.getBigUint64(at)),
      client: Number(view.getBigUint64(at + 8)),
      sequence: Number(view.getBigUint64(at + 16)),
    });
  }
  return records;
}
