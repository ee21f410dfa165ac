/**
 * Mermaid's sequence diagrams, as far as the pages use them: participants, messages and notes, a line each. What has
 * more (loops, alternatives, activations) is left to the other drawer.
 */

export interface Message {
  readonly kind: 'message';
  /** Positions of participants; the same twice for a message to itself. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Dashed: what is given back. */
  readonly isAnswer: boolean;
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
const MESSAGE = /^(.+?)\s*(--?>>?)\s*([^:]+?)\s*:\s*(.*)$/;
const NOTE = /^note\s+(?:over|left of|right of)\s+([^:]+?)\s*:\s*(.*)$/i;
const ACCESSIBLE = /^acc(?:Title|Descr)\b/;

/** null when the source is no sequence diagram, or has something in it that is not known here. */
export function readSequence(source: string): Sequence | null {
  const [first, ...lines] = source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('%%') && !ACCESSIBLE.test(line));
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
      events.push({ kind: 'note', from: Math.min(...over), to: Math.max(...over), text: plain(note[2]!) });
    } else if (message !== null && !/^[+-]/.test(message[3]!)) {
      const [, from, arrow, to, text] = message as unknown as [string, string, string, string, string];
      const isAnswer = arrow.startsWith('--');
      events.push({ kind: 'message', from: positionOf(from), to: positionOf(to), text: plain(text), isAnswer });
    } else return null;
  }
  return { participants: names.map(plain), events };
}

function plain(text: string): string {
  return text
    .replaceAll(/<br\s*\/?>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
