/**
 * A small file with secrets, read at start and again whenever it has changed, so that tokens are
 * replaced without a restart. A file that turns bad later changes nothing but the log: what was read
 * last stays in force. Its content goes nowhere but into the parser.
 */
import { readFileSync, statSync } from 'node:fs';
import { ConfigError, messageOf } from '#conductor/core/errors';
import type { Logger } from '#conductor/core/ports';
import { FileWatch } from '../system/file-watch.ts';

/** Largest file, bytes. */
const fileBytesMax = 1024 * 1024;
/** Permission bit: readable by every user of the machine. */
const readableByAll = 0o004;

export interface SecretFileOptions<Content> {
  /** For messages: the flag that names the file. */
  readonly flag: string;
  readonly path: string;
  readonly logger: Logger;
  /** Throws an Error whose message holds nothing of the text. */
  parse(text: string): Content;
  /** Called for what was read after the start. */
  reloaded(content: Content): void;
}

export class SecretFile<Content> {
  readonly #options: SecretFileOptions<Content>;
  readonly #watch: FileWatch;
  #content: Content;
  /** The state of the file in which it was last warned of. */
  #warnedOf = '';

  /** Reads the file; throws ConfigError when it cannot be used. */
  constructor(options: SecretFileOptions<Content>) {
    this.#options = options;
    this.#watch = new FileWatch([options.path]);
    try {
      this.#content = this.#read();
    } catch (thrown) {
      throw new ConfigError(`--${options.flag}: ${options.path} cannot be used: ${messageOf(thrown)}`, {
        cause: thrown,
      });
    }
  }

  /** What is in force. */
  get content(): Content {
    return this.#content;
  }

  /** Reads the file again if it has changed; to be called now and then. */
  poll(): void {
    if (this.#watch.hasChanged()) this.#renew('a file with secrets has changed and cannot be used');
  }

  /** Reads the file now, changed or not, because somebody asked for it: the log says what came of it. */
  reload(): void {
    this.#watch.know();
    this.#renew('a file with secrets cannot be used');
  }

  /**
   * Reads the file now, changed or not: for a caller whose secret was just refused. True when it holds something else
   * than before; a file that cannot be used changes nothing, and `poll` says so.
   */
  reread(isSame: (left: Content, right: Content) => boolean): boolean {
    const before = this.#content;
    try {
      this.#content = this.#read();
    } catch {
      return false;
    }
    if (isSame(before, this.#content)) return false;
    const { flag, path, logger, reloaded } = this.#options;
    logger.log('info', 'read a file with secrets again', { flag, path });
    reloaded(this.#content);
    return true;
  }

  #renew(problem: string): void {
    const { flag, path, logger, reloaded } = this.#options;
    try {
      this.#content = this.#read();
    } catch (thrown) {
      logger.log('warn', `${problem}: what was read before stays in force`, { flag, path, err: messageOf(thrown) });
      return;
    }
    logger.log('info', 'read a file with secrets again', { flag, path });
    reloaded(this.#content);
  }

  #read(): Content {
    const { flag, path, logger, parse } = this.#options;
    const status = statSync(path);
    if (!status.isFile()) throw new Error('it is not a file');
    if (status.size > fileBytesMax) throw new Error(`it has ${status.size} bytes, at most ${fileBytesMax} are read`);
    const content = parse(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)));
    const { ino, mtimeMs } = status;
    const stamp = `${ino} ${mtimeMs}`;
    if ((status.mode & readableByAll) !== 0 && stamp !== this.#warnedOf) {
      this.#warnedOf = stamp;
      logger.log('warn', 'every user of this machine can read a file with secrets: chmod 600 it', { flag, path });
    }
    return content;
  }
}
