/** Runs the commands of the Conductor page and of its reference one after the other and holds what they print against them. */
import { readRecordings } from '../../site/engine/generated/recorded-outputs.ts';
import { CommandPage } from './page-commands.ts';
import { checkOutput } from './recording.ts';
import { runCommand, type CommandPlace } from './shell.ts';

export const CONDUCTOR_PAGE = 'content/pages/builders/chain-operators/tools/op-conductor.mdx';
export const RPC_PAGE = 'content/pages/conductor/rpc.mdx';
export const MIGRATION_PAGE = 'content/pages/conductor/migration.mdx';
const RECORDINGS = 'op-conductor';

export class PageRunner {
  readonly page = new CommandPage(CONDUCTOR_PAGE, RPC_PAGE, MIGRATION_PAGE);
  readonly #place: CommandPlace;

  constructor(place: CommandPlace) {
    this.#place = place;
  }

  /** Runs the command of that name; fails when it prints something else than the page shows. */
  async run(name: string): Promise<void> {
    const { command, shown } = this.page.command(name);
    checkOutput(RECORDINGS, name, { printed: await runCommand(command, this.#place), shown });
  }

  /** The same for a text that no command of the page printed. */
  check(name: string, printed: string): void {
    checkOutput(RECORDINGS, name, { printed, shown: readRecordings(RECORDINGS).outputs[name] ?? '' });
  }
}
