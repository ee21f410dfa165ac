/** The recorded exchanges with op-conductor (rpc-transcripts.json), as a script that can be played again. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | null;
  readonly bodyHex?: string;
  readonly bodyNote?: string;
}

export interface RecordedCase {
  readonly name: string;
  readonly scene: string;
  readonly node: string;
  readonly request: RecordedRequest;
  readonly response: {
    readonly status: number | null;
    readonly headers: readonly (readonly [string, string])[];
    readonly body?: string | null;
    readonly bodyHex?: string;
    readonly bodyNote?: string;
  };
  readonly backendCalls?: readonly { readonly method: string; readonly params: unknown }[];
  /** What the backend said when not the default; the key may be there with the value null. */
  readonly backendAnswer?: unknown;
  readonly volatile?: readonly string[];
}

export interface TranscriptFile {
  readonly nodes: Readonly<Record<string, { readonly id: string; readonly raft: string; readonly rpcPort: number }>>;
  readonly backendAnswers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly cases: readonly RecordedCase[];
}

/** Reads it from VECTORS_DIR, or the copy in the repository. */
export function readTranscripts(): TranscriptFile {
  const copy = join(import.meta.dirname, '../../../conductor/core/rpc/testdata');
  const folder = process.env['VECTORS_DIR'] ?? copy;
  return JSON.parse(readFileSync(join(folder, 'rpc-transcripts.json'), 'utf8')) as TranscriptFile;
}

const leaderCall = '{"jsonrpc":"2.0","id":1,"method":"conductor_leader","params":[]}';

/** The bytes that follow the head of a request; notes describe those that are too long to be recorded. */
export function bytesOf({ body, bodyHex, bodyNote }: RecordedRequest): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  if (bodyHex !== undefined) return Buffer.from(bodyHex, 'hex');
  const note = bodyNote ?? '';
  const repeated = /repeated (\d+) times in one array/.exec(note);
  if (repeated !== null)
    return Buffer.from(`[${Array.from({ length: Number(repeated[1]) }, () => leaderCall).join(',')}]`);
  const padded = /(\d+) bytes(?: in all)?(?:, chunks of (\d+))?$/.exec(note);
  if (padded === null) throw new Error(`a body is described in words that are not understood: ${note}`);
  const whole = Buffer.alloc(Number(padded[1]), ' ');
  whole.write(leaderCall.slice(0, -1));
  whole.write('}', whole.length - 1);
  return padded[2] === undefined ? whole : chunked(whole, Number(padded[2]));
}

/** The body of a recorded response as text; null where only a note says what it was. */
export function responseTextOf({ body, bodyHex }: RecordedCase['response']): string | null {
  if (typeof body === 'string') return body;
  return bodyHex === undefined ? null : gunzipSync(Buffer.from(bodyHex, 'hex')).toString();
}

function chunked(whole: Buffer, size: number): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < whole.length; at += size) {
    const piece = whole.subarray(at, at + size);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]);
}
