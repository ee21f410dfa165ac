/**
 * The walks of CONTRIBUTING.md and conductor/README.md: numbered steps under a heading, each with the files and the names
 * in them, in the order in which they run. What is read here is checked against the sources, so that a reader who
 * follows a walk finds everything where it says.
 */
import { posix } from 'node:path';

/** A file that a step names, and the names that it says are declared there. */
export interface Stop {
  readonly file: string;
  readonly names: readonly string[];
}

export interface Walk {
  readonly title: string;
  /** Lines from the heading to the last step. */
  readonly lines: number;
  readonly stops: readonly Stop[];
}

const PATH = /^[\w.-]+(\/[\w.-]+)+$/;
const NAME = /^[A-Za-z_]\w*(\.\w+)?$/;

/** The walks of a document; paths are relative to its folder. Throws for code in a step that is neither file nor name. */
export function readWalks(text: string, folder: string): Walk[] {
  return text
    .split(/^(?=#{2,3} )/m)
    .filter((section) => /^1\. /m.test(section))
    .map((section) => {
      const title = section.slice(0, section.indexOf('\n')).replace(/^#+ /, '');
      const steps = section.slice(section.search(/^1\. /m)).split(/\n\n/)[0] ?? '';
      const lines = section.trimEnd().split('\n').length;
      return { title, lines, stops: readStops(steps, folder, title) };
    });
}

function readStops(steps: string, folder: string, title: string): Stop[] {
  const stops: { file: string; names: string[] }[] = [];
  for (const [, code = ''] of steps.matchAll(/`([^`]+)`/g)) {
    const last = stops.at(-1);
    if (PATH.test(code)) stops.push({ file: posix.join(folder, code), names: [] });
    else if (NAME.test(code) && last !== undefined) last.names.push(code);
    else throw new Error(`“${title}” says \`${code}\`, which is neither a file nor a name in the file before it`);
  }
  return stops;
}

/** Whether a source declares a name, or `Class.member` both. */
export function declares(source: string, name: string): boolean {
  const [owner = '', member] = name.split('.');
  const declaration = String.raw`\b(function\*?|class|interface|type|const|let)\s+${owner}\b`;
  if (!new RegExp(`^(export )?(default )?(async )?${declaration}`, 'm').test(source)) return false;
  return (
    member === undefined ||
    new RegExp(String.raw`^  (async |get |static |readonly )*\*?${member}\b[(<:=]`, 'm').test(source)
  );
}

/** Every path in backticks or links of a document that looks like one of the repository; stars stand for any text. */
export function pathsIn(text: string): string[] {
  const coded = [...text.matchAll(/`([\w*.-]+(?:\/[\w*.-]+)+\/?)`/g)].map(([, path = '']) => path);
  const linked = [...text.matchAll(/\]\((?!https?:|#|\/)([^)#]+)/g)].map(([, path = '']) => path);
  return [...coded, ...linked];
}
