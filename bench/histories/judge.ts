/** Asks the judge in judge/, a Go program around porcupine, whether histories are linearizable. */
import { join } from 'node:path';
import { buildGoPackage, type GoPackage } from '../go-package.ts';

/** One history may cost the judge this long for each of its laws. */
const SECONDS_MAX = 60;

const judge: GoPackage = {
  source: join(import.meta.dirname, 'judge'),
  path: join(import.meta.dirname, '../../.tools/history-judge'),
  title: 'the judge of histories',
};

/** "Unknown": not decided within the time. */
export type LawResult = 'Ok' | 'Illegal' | 'Unknown';

export interface Verdict {
  readonly file: string;
  readonly calls: number;
  readonly laws: Readonly<Record<'register-per-height' | 'acknowledged-heads' | 'one-head', LawResult>>;
  /** An HTML page that shows the first law that was broken. */
  readonly picture?: string;
  readonly milliseconds: number;
}

/** Builds it unless that was done; returns null, or a sentence that says why it cannot be built here. */
export function buildJudge(): Promise<string | null> {
  return buildGoPackage(judge);
}

/** The verdict on the history in a file; the judge must have been built. Throws where the file is no history. */
export async function judgeHistory(path: string): Promise<Verdict> {
  const child = Bun.spawn([judge.path, `-seconds=${SECONDS_MAX}`, path], { stdout: 'pipe', stderr: 'pipe' });
  const [output, complaint, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  // 1: a law is broken or not decided, which the verdict says.
  if (code !== 0 && code !== 1) throw new Error(`the judge of histories ended with ${code}: ${complaint.trim()}`);
  return JSON.parse(output) as Verdict;
}

/** The laws that a verdict does not call kept, with what it calls them. */
export function notKept({ laws }: Verdict): string[] {
  return Object.entries(laws).flatMap(([law, result]) => (result === 'Ok' ? [] : [`${law}: ${result}`]));
}
