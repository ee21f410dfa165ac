/** Runs an operators' command of ours as a process, to its end. */
import { conductorCommand } from '../cluster/conductor-command.ts';

export interface CommandEnd {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Resolves with its exit code and all it wrote; it has no terminal. */
export async function operate(...words: readonly string[]): Promise<CommandEnd> {
  // Named for the tests; to a conductor it is an unknown variable with the prefix of its flags.
  const { OP_CONDUCTOR_BIN: _, ...env } = process.env;
  const child = Bun.spawn([...conductorCommand(), ...words], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', env });
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, output, errors };
}
