/**
 * Log lines of a development sequencer on standard output: logfmt in the key order of geth's logs
 * (t, lvl, msg, then fields as given).
 */
import type { LogLevel } from '#conductor/core/ports';

/** Writes one line; `debug` lines are left out unless asked for. */
export type NodeLog = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void;

/** A log on standard output. */
export function createNodeLog(isVerbose: boolean): NodeLog {
  return (level, message, fields = {}) => {
    if (level === 'debug' && !isVerbose) return;
    const parts = [`t=${new Date().toISOString()}`, `lvl=${level}`, `msg=${quote(message)}`];
    for (const [key, value] of Object.entries(fields)) {
      parts.push(`${key}=${quote(value instanceof Error ? value.message : String(value))}`);
    }
    process.stdout.write(`${parts.join(' ')}\n`);
  };
}

function quote(text: string): string {
  return /^[\w.:/+-]+$/.test(text) ? text : JSON.stringify(text);
}
