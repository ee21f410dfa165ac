/**
 * Mermaid's sequence diagrams, as far as the pages use them: participants, messages and notes, a line each. What is
 * not known here (loops, alternatives, activations) is a sentence for the author and never a guess.
 */
import { oneLine } from '../escape-text.ts';

export interface Message {
  readonly kind: 'message';
  /** Positions of participants; the same twice for a message to itself. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Dashed: what is given back. */
  readonly isAnswer: boolean;
  /** Ends in a cross: it never arrives, or the connection is closed. */
  readonly isLost: boolean;
}

export interface Note {
  readonly kind: 'note';
  /** The leftmost and rightmost participant it is about. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface Sequence {
  readonly participants: readonly string[];
  readonly events: readonly (Message | Note)[];
}

const PARTICIPANT = /^(?:participant|actor)\s+(.+?)(?:\s+as\s+(.+))?$/;
const MESSAGE = /^(.+?)\s*(--?(?:>>?|x(?=\s*\S+\s*:)))\s*([^:]+?)\s*:\s*(.*)$/;
const NOTE = /^note\s+(?:over|left of|right of)\s+([^:]+?)\s*:\s*(.*)$/i;

/** null when the first line is that of another kind; throws a sentence for the author. */
export function readSequence([first, ...lines]: readonly string[]): Sequence | null {
  if (first !== 'sequenceDiagram') return null;
  const ids: string[] = [];
  const names: string[] = [];
  const positionOf = (id: string): number => {
    if (!ids.includes(id)) {
      ids.push(id);
      names.push(id);
    }
    return ids.indexOf(id);
  };
  const events: (Message | Note)[] = [];
  for (const line of lines) {
    const participant = PARTICIPANT.exec(line);
    const note = NOTE.exec(line);
    const message = MESSAGE.exec(line);
    if (participant !== null) names[positionOf(participant[1]!)] = participant[2] ?? participant[1]!;
    else if (note !== null) {
      const over = note[1]!.split(',').map((id) => positionOf(id.trim()));
      events.push({ kind: 'note', from: Math.min(...over), to: Math.max(...over), text: oneLine(note[2]!) });
    } else if (message !== null && !/^[+-]/.test(message[3]!)) {
      const [, from, arrow, to, text] = message as unknown as [string, string, string, string, string];
      const kind = { isAnswer: arrow.startsWith('--'), isLost: arrow.endsWith('x') };
      events.push({ kind: 'message', from: positionOf(from), to: positionOf(to), text: oneLine(text), ...kind });
    } else throw new Error(`“${line}” is not known here: a sequence has participants, messages and notes.`);
  }
  return { participants: names.map(oneLine), events };
}
