/**
 * Reads a file of environment variables as systemd's EnvironmentFile= and docker's --env-file have it: NAME=value
 * lines, comments, quotes, a backslash at the end to go on. Both agree on all that is usual; quotes, which docker
 * keeps, are taken away.
 */
import { readFileSync, statSync } from 'node:fs';
import { ConfigError, messageOf } from '#conductor/core/errors';

const fileBytesMax = 1024 * 1024;

/** The variables in a file, the last of equal names; throws ConfigError with file and line. */
export function readEnvFile(path: string): Record<string, string> {
  let content: string;
  try {
    if (statSync(path).size > fileBytesMax) throw new Error(`it has more than ${fileBytesMax} bytes`);
    content = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`the environment file ${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  return parseEnvFile(content, path);
}

/** The same of a text; `path` is for messages. Values are not repeated in messages: they may be secrets. */
export function parseEnvFile(content: string, path: string): Record<string, string> {
  const variables: Record<string, string> = {};
  const lines = content.replace(/^\uFEFF/, '').split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const start = at + 1;
    let line = (lines[at] ?? '').trim();
    if (line === '' || /^[#;]/.test(line)) continue;
    while (line.endsWith('\\') && at + 1 < lines.length) line = line.slice(0, -1) + (lines[(at += 1)] ?? '').trim();
    const match = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)(?:\s*=\s*([\s\S]*))?$/.exec(line);
    if (match === null) throw new ConfigError(`${path}, line ${start}: this is not NAME=value`);
    // A name alone is passed on from the environment by docker, and nothing to systemd.
    const [, name = '', value] = match;
    if (value !== undefined) variables[name] = unquoted(value, `${path}, line ${start}`);
  }
  return variables;
}

function unquoted(value: string, place: string): string {
  const quote = value[0];
  if (quote !== '"' && quote !== "'") return value.trim();
  const end = value.length > 1 && value.endsWith(quote) ? value.length - 1 : -1;
  if (end < 0) throw new ConfigError(`${place}: the quote ${quote} is not closed`);
  const inside = value.slice(1, end);
  return quote === '"' ? inside.replaceAll(/\\(["\\$`])/g, '$1') : inside;
}
