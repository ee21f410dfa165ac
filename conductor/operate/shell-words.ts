/** The command line that goes on where a procedure stopped, as a person can paste it. */
import type { Flags } from './command-flags.ts';

const clusterOptions = {
  cluster: '--cluster',
  rpc: '--rpc',
  tokenFile: '--token-file',
  caFile: '--ca-file',
  idle: '--idle',
} as const;

/** `words` after `conductor`, with the options that name the cluster and its idle servers, quoted for a POSIX shell. */
export function commandLine(words: readonly string[], flags: Flags): string {
  const options = Object.entries(clusterOptions).flatMap(([name, option]) => {
    const value = flags[name];
    return typeof value === 'string' ? [option, withoutPasswords(value)] : [];
  });
  return ['conductor', ...words, ...options].map(quoted).join(' ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A list of URLs whose passwords are not for a screen. */
export function withoutPasswords(list: string): string {
  return list.replaceAll(/(\/\/[^:@/,]*):[^@/,]*@/g, '$1:...@');
}
