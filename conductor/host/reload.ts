/**
 * What SIGHUP asks of a conductor that runs: the files of credentials and certificates are read at once, rather than when
 * they are seen to have changed, and so is the file of --config. It disturbs nobody: leadership, connections and calls go on.
 */
import type { LineLevel } from '#conductor/adapters/logging/logging-format';
import { messageOf } from '#conductor/core/errors';
import type { Logger } from '#conductor/core/ports';
import { text, type Values } from './settings/config-values.ts';
import { logConfig, runConfig } from './settings/flags-config.ts';

/** Has files that can be read again; null where they are not given. */
export type Rereadable = { reload(): void } | null;

export interface ReloadOptions {
  /** What the run began with. */
  readonly values: Values;
  readonly logger: Logger;
  /** Reads command line, variables and file as a start would; throws ConfigError for what a start would refuse. */
  read(): Values;
  setLevel(level: LineLevel): void;
}

/** Options as they are now, against those that the run began with. */
export class Reload {
  readonly #options: ReloadOptions;
  #level: LineLevel;

  constructor(options: ReloadOptions) {
    this.#options = options;
    this.#level = logConfig(options.values).level;
  }

  /** Reads everything again; the log says what came of it. */
  run(holders: readonly Rereadable[]): void {
    const { values, logger } = this.#options;
    if (text(values, 'config') !== '') this.#readOptions();
    for (const holder of holders) holder?.reload();
    logger.log('info', 'received SIGHUP: tokens, secrets and certificates were read again', {
      config: text(values, 'config') || 'none',
    });
  }

  #readOptions(): void {
    const { values: before, logger, read, setLevel } = this.#options;
    let values: Values;
    try {
      values = read();
      // Whole or not at all: what a restart would refuse is told now.
      runConfig(values);
    } catch (thrown) {
      logger.log(
        'warn',
        'the configuration cannot be used as it is now, and a restart would fail: nothing of it is taken',
        {
          err: messageOf(thrown),
        },
      );
      return;
    }
    const { level } = logConfig(values);
    if (level !== this.#level) {
      const from = this.#level;
      this.#level = level;
      // The line is to be seen whichever way the level goes.
      if (writesInfo(level)) setLevel(level);
      logger.log('info', 'the log level has changed', { from, to: level });
      if (!writesInfo(level)) setLevel(level);
    }
    const names = Object.keys(values) as (keyof Values)[];
    const waiting = names.filter((name) => name !== 'log.level' && values[name] !== before[name]);
    if (waiting.length === 0) return;
    logger.log('warn', 'options have changed that are read at the start only: restart to apply them', {
      options: waiting.join(' '),
    });
  }
}

function writesInfo(level: LineLevel): boolean {
  return level === 'trace' || level === 'debug' || level === 'info';
}
