/**
 * Why a process ended by itself: the last line of its log that complains (level error or crit, an
 * uncaught error of Bun, a panic of Go), in one sentence that is safe to draw on a terminal.
 */
import { readSync, statSync } from 'node:fs';
import { openFile } from '#conductor/adapters/system/open-file';

/** Bytes looked at, at the end of a log. */
const TAIL_BYTES = 64 * 1024;
/** Longest sentence, in characters. */
const TEXT_MAX = 300;
/** A pair of logfmt: a bare or quoted value. */
const PAIR = /([\w.]+)=("(?:[^"\\]|\\.)*"|\S*)/g;
const BAD_LEVELS = new Set(['crit', 'error', 'eror']);
const BARE = /^(?:panic|error|[A-Z]\w*Error): \S.*/;

/** The last complaint that was appended to a log after `from` (bytes); null when there is none or no such file. */
export function readComplaint(path: string, from: number): string | null {
  try {
    const { size } = statSync(path);
    const start = Math.max(from, size - TAIL_BYTES);
    const bytes = Buffer.alloc(Math.max(0, size - start));
    using file = openFile(path, 'r');
    return lastComplaint(bytes.toString('utf8', 0, readSync(file.descriptor, bytes, 0, bytes.length, start)));
  } catch {
    return null; // Without its log the process has ended all the same.
  }
}

/** The last complaint in the lines of a log. */
export function lastComplaint(log: string): string | null {
  for (const line of log.split('\n').toReversed()) {
    const complaint = BARE.exec(line)?.[0] ?? complaintOf(line);
    if (complaint !== null) return complaint.replaceAll(/\p{Cc}+/gu, ' ').slice(0, TEXT_MAX);
  }
  return null;
}

function complaintOf(line: string): string | null {
  const fields = new Map([...line.matchAll(PAIR)].map(([, key = '', value = '']) => [key, unquote(value)]));
  if (!BAD_LEVELS.has(fields.get('lvl') ?? '')) return null;
  const whole = fields.get('message'); // Then msg only says that the program failed.
  if (whole !== undefined) return whole;
  return [fields.get('msg'), fields.get('err') ?? fields.get('error')].filter((part) => part !== undefined).join(': ');
}

function unquote(value: string): string {
  if (!value.startsWith('"')) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return value;
  }
}
