/**
 * The last line against orphans: a small process that holds a pipe from the devnet and a list of
 * its children. When the pipe ends without a goodbye (the devnet was killed), it kills them all,
 * frozen ones too, which cannot notice anything by themselves, and removes the temporary folder.
 */
import { rmSync } from 'node:fs';
import type { FileSink, Subprocess } from 'bun';
import { ownCommand } from '#conductor/adapters/system/own-program';

/** Name of the hidden command. */
export const REAPER_COMMAND = 'devnet-reaper';
/** Most characters kept of an unfinished line. */
const LINE_MAX = 4_096;
/** How often a folder is tried to be removed: the last files of killed processes may still appear. */
const REMOVAL_TRIES = 5;
/** Leaves the alternate screen and shows the cursor; harmless elsewhere. */
const RESTORE_SCREEN = '\u001B[?2026l\u001B[?1049l\u001B[?25h\n';

/** The devnet's end of the pipe. */
export interface Reaper {
  note(pid: number, isAlive: boolean): void;
  /** From now on the screen is the devnet's to restore. */
  noteScreen(isTaken: boolean): void;
  /** A folder to be removed with the rest. */
  noteFolder(path: string): void;
  /** Ends the reaper without killing anything. */
  dismiss(): void;
}

/** Starts the process. */
export function startReaper(): Reaper {
  const child: Subprocess<'pipe', 'inherit', 'ignore'> = Bun.spawn([...ownCommand(), REAPER_COMMAND], {
    stdin: 'pipe',
    stdout: 'inherit',
    stderr: 'ignore',
    detached: true,
  });
  const pipe: FileSink = child.stdin;
  const say = (line: string): void => {
    pipe.write(`${line}\n`);
    void pipe.flush();
  };
  return {
    note: (pid, isAlive) => say(`${isAlive ? 'add' : 'remove'} ${pid}`),
    noteScreen: (isTaken) => say(isTaken ? 'screen' : 'noscreen'),
    noteFolder: (path) => say(`folder ${path}`),
    dismiss: () => {
      say('goodbye');
      void pipe.end();
      child.unref();
    },
  };
}

/** The reaper's whole life: reads the pipe to its end, then kills what is left unless it was told goodbye. */
export async function runReaper(input: AsyncIterable<Uint8Array>): Promise<void> {
  const pids = new Set<number>();
  const seen: Seen = { goodbye: false, screen: false, folder: null };
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of input) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = (lines.pop() ?? '').slice(-LINE_MAX);
    for (const line of lines) obey(line, pids, seen);
  }
  if (seen.goodbye) return;
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Already gone.
    }
  }
  if (seen.folder !== null) rmSync(seen.folder, { recursive: true, force: true, maxRetries: REMOVAL_TRIES });
  if (seen.screen) process.stdout.write(RESTORE_SCREEN);
}

interface Seen {
  goodbye: boolean;
  screen: boolean;
  folder: string | null;
}

function obey(line: string, pids: Set<number>, seen: Seen): void {
  const word = line.split(' ', 1)[0] ?? '';
  const text = line.slice(word.length + 1);
  const pid = Number(text);
  if (word === 'goodbye') {
    seen.goodbye = true;
  } else if (word === 'folder') {
    seen.folder = text;
  } else if (word === 'screen' || word === 'noscreen') {
    seen.screen = word === 'screen';
  } else if (Number.isSafeInteger(pid) && pid > 1) {
    if (word === 'add') {
      pids.add(pid);
    } else {
      pids.delete(pid);
    }
  }
}
