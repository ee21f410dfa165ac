/** What a devnet is told on its command line, checked. */

/** Settings of one run. */
export interface DevnetOptions {
  /** Added to every port. */
  readonly portOffset: number;
  /** Folder that is kept; null for a temporary one, removed at the end. */
  readonly dataDir: string | null;
  /** Whole seconds. */
  readonly blockSeconds: number;
  readonly transactionsPerBlock: number;
  /** Bytes. */
  readonly transactionBytes: number;
  /** Without a terminal: every how many blocks one line is printed. */
  readonly reportEveryBlocks: number;
  /** Whether the web page of the console is served. */
  readonly hasConsole: boolean;
  /** Other commands to run as conductors, by node; null runs this program. */
  readonly conductorCommands: readonly (readonly string[] | null)[];
}

/** Something that keeps a devnet from starting. The message says what, why, and what to do. */
export class DevnetError extends Error {
  readonly code = 'DEVNET';
  override readonly name = 'DevnetError';
}
