/** The authoring server as a process, as `npm run docs` starts it. */
import { join } from 'node:path';
import { waitFor } from '../cluster/wait.ts';

/** On a machine that does much else, milliseconds. */
export const READY_MS_MAX = 60_000;

export interface AuthoringProcess {
  readonly url: string;
  stop(): Promise<void>;
}

/** Of the repository in `root`, with the pages of a folder. */
export async function startAuthoring(root: string, pages: string): Promise<AuthoringProcess> {
  const command = [process.execPath, join(root, 'site/engine/authoring/main.ts'), '--port', '0', '--pages', pages];
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' });
  let output = '';
  const decoder = new TextDecoder();
  void (async () => {
    for await (const chunk of child.stdout) output += decoder.decode(chunk);
  })();
  const stop = async (): Promise<void> => {
    child.kill();
    await child.exited;
  };
  try {
    const find = (): string | null => /http:\/\/\S+/.exec(output)?.[0] ?? null;
    return { url: await waitFor('the address of the server', READY_MS_MAX, find), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
