/** Messages in words, for the story of how a law was broken. */
import { names } from './laws.ts';
import type { Message, Messages } from './message.ts';

/** What of a message is worth telling, in this order. */
const fields = [
  'term',
  'lastLogIndex',
  'lastLogTerm',
  'granted',
  'prevLogIndex',
  'prevLogTerm',
  'leaderCommit',
  'lastLog',
  'success',
] as const;

/** "B gets vote from A (term 4, …)". */
export function told(messages: Messages, from: number, to: number, number: number): string {
  const message = messages.get(number);
  return `${names[to]} gets ${message.kind} from ${names[from]}${details(message)}`;
}

function details(message: Message): string {
  const values = message as unknown as Readonly<Record<string, unknown>>;
  const parts = fields
    .filter((field) => values[field] !== undefined)
    .map((field) => `${field} ${String(values[field])}`);
  if (message.kind === 'append' && 'entries' in message && message.entries !== null && message.entries.length > 0)
    parts.push(`entries of terms ${message.entries.map(({ term }) => term).join(', ')}`);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
