/**
 * A piece of code in a sentence or a cell. It is broken between its parts alone: never behind the dashes of a flag or
 * inside of a word, and an address into two equal lines.
 */
import { Fragment, type ComponentProps, type ReactElement } from 'react';

/** As many characters stay on one line even in a narrow cell of a phone; of an address half. */
const PIECE_LENGTH_MAX = 16;
const HEX_PIECE_LENGTH_MAX = 22;
const HEX = /^0x[0-9a-fA-F]+$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Where a piece that is too long may be broken, the best place first. */
const BREAKS: readonly RegExp[] = [
  /(?<=\s)/,
  /(?<=[A-Za-z0-9)\]}>"'][/,=]+)(?=[^\s/,=])/,
  /(?<=[A-Za-z0-9)\]}>"'][._:&?|-]+)(?=[A-Za-z0-9])/,
  /(?<=[a-z0-9])(?=[A-Z])/,
];

export function Code({ children, ...props }: ComponentProps<'code'>): ReactElement {
  if (typeof children !== 'string') return <code {...props}>{children}</code>;
  const pieces = piecesOf(children);
  return (
    <code {...props} data-address={ADDRESS.test(children) ? '' : undefined}>
      {pieces.map((piece, position) => (
        <Fragment key={position}>
          {position > 0 && <wbr />}
          {piece}
        </Fragment>
      ))}
    </code>
  );
}

/** The parts between which a line may end, each short. Together they are the text. */
export function piecesOf(text: string, breaks: readonly RegExp[] = BREAKS): string[] {
  if (text.length <= PIECE_LENGTH_MAX) return [text];
  const [first, ...others] = breaks;
  if (HEX.test(text)) return equalPieces(text, HEX_PIECE_LENGTH_MAX);
  if (first === undefined) return equalPieces(text, PIECE_LENGTH_MAX);
  return text.split(first).flatMap((piece) => piecesOf(piece, others));
}

function equalPieces(text: string, lengthMax: number): string[] {
  const characters = [...text];
  const count = Math.ceil(characters.length / lengthMax);
  const length = Math.ceil(characters.length / count);
  return Array.from({ length: count }, (_, at) => characters.slice(at * length, (at + 1) * length).join(''));
}
